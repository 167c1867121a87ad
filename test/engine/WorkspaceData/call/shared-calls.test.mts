/**
 * Tests Keep Results with simultaneous executions. They share identical calls, so that each call is paid for only once.
 */
import { expect, test } from 'vitest';
import { hintsOf, jsonOf, type NodeRun } from '../../harness/support.mts';
import { companies, domains, objectsIn, path, useReuse } from './reuse.mts';

const world = useReuse();
const { bench, run, asked } = world;
const onError = 'continueRegularOutput';

/** Runs five executions for the same company at the same time. */
const five = async (more: { onError?: typeof onError } = {}): Promise<NodeRun[]> =>
	await Promise.all(Array.from({ length: 5 }, async () => await run(companies(0, 1), {}, more)));

/** Waits until the service has received this number of requests. */
async function arrived(requests: number): Promise<void> {
	while (bench.sandbox.requests.length < requests)
		await new Promise((resolve) => setTimeout(resolve, 5));
}

test('sends one call for five simultaneous executions, and returns a separate copy to each', async () => {
	bench.sandbox.setLatency(100);
	const runs = await five();
	expect(asked()).toEqual(domains(0, 1));
	for (const one of runs) expect(jsonOf(one)).toEqual(jsonOf(runs[0]));
	const objects = objectsIn(runs.map(jsonOf));
	expect(new Set(objects).size).toBe(objects.length);
	expect(runs.flatMap(hintsOf).toSorted()).toEqual([
		'Sent 1 call (may be billed).',
		...Array(4).fill('Sent no call that may be billed. 1 item used a kept result.'),
	]);
	await run(companies(0, 1));
	expect(asked()).toEqual([]);
});

test('uses a result that another execution receives after this execution has started', async () => {
	bench.sandbox.addFault({ path, delayMs: 1_000 });
	const slow = run(companies(0, 2), { maxConcurrent: 1 });
	await arrived(1);
	await run(companies(1, 2));
	expect(asked()).toEqual(domains(1, 2));
	expect(jsonOf(await slow)).toHaveLength(2);
	expect(asked()).toEqual(domains(1, 2));
});

test('counts each item that uses the call of another execution, even if the items are identical', async () => {
	bench.sandbox.addFault({ path, delayMs: 1_000 });
	const first = run(companies(0, 1));
	await arrived(1);
	const [company] = companies(0, 1);
	expect(hintsOf(await run([company, company]))).toEqual([
		'Sent no call that may be billed. 2 items used a kept result.',
	]);
	await first;
});

test('lets the next execution send an identical call if the call of the first execution fails', async () => {
	bench.sandbox.addFault({ path, times: 2, status: 500, delayMs: 50 });
	const runs = await five({ onError });
	expect(bench.sandbox.requests).toHaveLength(3);
	expect(runs.flatMap(jsonOf).filter((json) => 'error' in json)).toHaveLength(2);
	const sent = runs.filter(({ hints }) => hints[0].message.startsWith('Sent 1 call'));
	expect(sent).toHaveLength(3);
});

test('sends a call again if the result of another execution lacks one of the Required Fields', async () => {
	bench.sandbox.addFault({ path, delayMs: 100, body: { job_id: 5, status: 'processing' } });
	const first = run(companies(0, 1));
	await arrived(1);
	const second = await run(companies(0, 1), { cache: { values: { requiredFields: 'domain' } } });
	expect(jsonOf(await first)).toEqual([{ job_id: 5, status: 'processing' }]);
	expect(jsonOf(second)).toMatchObject(companies(0, 1));
});

test('sends nothing if the user stops an execution while it waits for the call of another execution', async () => {
	bench.sandbox.addFault({ path, delayMs: 1_500 });
	const first = run(companies(0, 1));
	await arrived(1);
	const second = await run(companies(0, 1), {}, { cancelWhen: () => true });
	expect(second.status).toBe('canceled');
	expect(hintsOf(await run(companies(0, 1)))).toEqual([
		'Sent no call that may be billed. 1 item used a kept result.',
	]);
	expect(jsonOf(await first)).toMatchObject(companies(0, 1));
	expect(asked()).toEqual([]);
});
