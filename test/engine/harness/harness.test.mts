/** Proves the harness on a stand-in node of its own: what n8n's engine does for a node happens in it. */
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
	callCredentialTest,
	closeHarness,
	PASS_NODE_TYPE,
	runWorkflow,
	START_NODE_TYPE,
} from './harness.mts';
import { KEY, probe, probeApi, probeRun, PROBE_TYPE, shared } from './probe.mts';

const service = fastify();

beforeAll(async () => {
	service.get('/v2', async (request, reply) => {
		if (request.headers.authorization !== `Bearer ${KEY}`) return await reply.code(401).send({});
		return { success: true };
	});
	service.get('/refuses', async () => ({ success: false }));
	service.get('/broken', async (_request, reply) => await reply.code(500).send({}));
	service.get('/never', () => new Promise(() => undefined));
	shared.baseUrl = await service.listen({ host: '127.0.0.1', port: 0 });
});

afterAll(async () => {
	service.server.closeAllConnections();
	await service.close();
	await closeHarness();
});

describe('runNode', () => {
	it('resolves expressions for each item', async () => {
		const parameters = { action: 'echo', value: '={{ $json.name.toUpperCase() }}' };
		const run = await probeRun(parameters, { items: [{ name: 'a' }, { json: { name: 'b' } }] });
		expect(run.status).toBe('success');
		expect(run.error).toBeUndefined();
		expect(run.outputs).toEqual([
			[
				{ json: { value: 'A' }, pairedItem: { item: 0 } },
				{ json: { value: 'B' }, pairedItem: { item: 1 } },
			],
		]);
	});

	it('stops the workflow on an error', async () => {
		const run = await probeRun({ action: 'throw' });
		expect(run.status).toBe('error');
		expect(run.error?.message).toBe('probe threw');
		expect(run.outputs).toEqual([]);
	});

	it('sends the input on when a node throws under "continue"', async () => {
		const items = [{ id: 1 }];
		for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
			const run = await probeRun({ action: 'throw' }, { onError, items });
			// The node is the workflow's last: n8n sends its input on, and still calls the run failed.
			expect(run.status).toBe('error');
			expect(run.error?.message).toBe('probe threw');
			expect(run.outputs[0].map(({ json }) => json)).toEqual(items);
		}
	});

	it('routes failed items to the error output, together with their input, in that mode only', async () => {
		const items = [{ id: 0 }, { id: 1 }, { id: 2 }];
		const kept = await probeRun({ action: 'failOdd' }, { items, onError: 'continueRegularOutput' });
		expect(kept.outputs).toHaveLength(1);
		expect(kept.outputs[0]).toHaveLength(3);

		const routed = await probeRun({ action: 'failOdd' }, { items, onError: 'continueErrorOutput' });
		const [main, failed] = routed.outputs;
		expect(main.map(({ json }) => json)).toEqual([{ index: 0 }, { index: 2 }]);
		expect(failed.map(({ json }) => json)).toEqual([
			{ id: 1, error: 'item 1 failed', message: 'a', details: {} },
		]);
	});

	it('runs the node again under "Retry On Fail"', async () => {
		shared.tries = 0;
		const retryOnFail = { maxTries: 3, waitBetweenTriesMs: 1 };
		const run = await probeRun({ action: 'failTwice' }, { retryOnFail });
		expect(run.status).toBe('success');
		expect(run.outputs[0][0].json).toEqual({ tries: 3 });
	});

	it('cancels a request under way', async () => {
		const parameters = { action: 'request', value: '/never' };
		const credential = { apiKey: KEY };
		const byTime = await probeRun(parameters, { credential, cancelAfterMs: 100 });
		expect(byTime.status).toBe('canceled');
		expect(byTime.stoppedAfterCancelMs).toBeLessThan(1000);

		let asked = 0;
		const cancelWhen = () => ++asked > 10;
		const byCondition = await probeRun(parameters, { credential, cancelWhen });
		expect(byCondition.status).toBe('canceled');
	});

	it('reads stored binary data back', async () => {
		const text = 'a line\n'.repeat(1000);
		const run = await probeRun({ action: 'file', value: text });
		const [item] = run.outputs[0];
		expect(item.binary?.data.id).toMatch(/^filesystem-v2:/);
		expect((await run.binary(item)).toString()).toBe(text);
		await expect(run.binary(item, 'other')).rejects.toThrow('no binary property "other"');
	});

	it('captures logs and hints, each run its own', async () => {
		const [first, second] = await Promise.all([
			probeRun({ action: 'tell' }),
			probeRun({ action: 'echo' }),
		]);
		const warning = { level: 'warn', message: 'probe warns', meta: { index: 0 } };
		expect(first.logs).toContainEqual(warning);
		expect(second.logs).not.toContainEqual(warning);
		expect(first.hints).toEqual([{ message: 'probe hints', type: 'info' }]);
		expect(second.hints).toEqual([]);
	});

	it('authenticates requests with the credential type, and wraps failures as n8n does', async () => {
		const parameters = { action: 'request', value: '/v2' };
		const good = await probeRun(parameters, { credential: { apiKey: KEY } });
		expect(good.outputs[0][0].json).toEqual({ success: true });
		const bad = await probeRun(parameters, { credential: { apiKey: 'fake-wrong-key' } });
		expect(bad.error).toMatchObject({ name: 'NodeApiError', httpCode: '401' });
	});

	it('shows nodes a credential with defaults and without hidden fields', async () => {
		const credential = { apiKey: KEY, token: 'fake-hidden-token' };
		const run = await probeRun({ action: 'credential' }, { credential });
		expect(run.outputs[0][0].json).toEqual({ baseUrl: '', version: 'v2', apiKey: KEY });
	});

	it('reports a workflow that cannot start', async () => {
		const run = await probeRun({ needed: '' });
		expect(run.status).toBe('error');
		expect(run.error?.message).toContain('issues');
		expect(run.task).toBeUndefined();
	});

	it('takes items through in "trigger" mode as well', async () => {
		const run = await probeRun({ value: '={{ $execution.mode }}' }, { mode: 'trigger' });
		expect(run.outputs[0][0].json).toEqual({ value: 'production' });
	});
});

describe('runWorkflow', () => {
	it('runs connected nodes and reports each', async () => {
		const node = (name: string, type: string, parameters = {}) => ({
			id: name,
			name,
			type,
			typeVersion: 1,
			position: [0, 0] as [number, number],
			parameters,
		});
		const to = (name: string) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });
		const run = await runWorkflow({
			nodes: [
				node('Start', START_NODE_TYPE),
				node('Probe', PROBE_TYPE, { value: '={{ $json.id }}' }),
				node('End', PASS_NODE_TYPE),
			],
			connections: { Start: to('Probe'), Probe: to('End') },
			startNode: 'Start',
			startItems: [{ id: 1 }, { id: 2 }],
			extraNodeTypes: { [PROBE_TYPE]: probe },
		});
		expect(run.status).toBe('success');
		expect(Object.keys(run.nodes)).toEqual(['Start', 'Probe', 'End']);
		expect(run.nodes.End[0].outputs[0].map(({ json }) => json)).toEqual([
			{ value: 1 },
			{ value: 2 },
		]);
	});
});

describe('callCredentialTest', () => {
	const test = (data: Record<string, unknown>) =>
		callCredentialTest({ baseUrl: shared.baseUrl, apiKey: KEY, ...data }, probeApi);

	it('answers what n8n shows for each outcome', async () => {
		expect(await test({})).toEqual({ status: 'OK', message: 'Connection successful!' });
		const refused = { status: 'Error', message: 'The key is refused' };
		expect(await test({ apiKey: 'fake-wrong-key' })).toEqual(refused);
		const denied = { status: 'Error', message: 'The service says no' };
		expect(await test({ version: 'refuses' })).toEqual(denied);
		const broken = { status: 'Error', message: 'Internal Server Error' };
		expect(await test({ version: 'broken' })).toEqual(broken);
		const unreachable = await test({ baseUrl: 'http://127.0.0.1:1' });
		expect(unreachable).toEqual({ status: 'Error', message: 'ECONNREFUSED' });
	});
});
