/**
 * Random calls against a service less kind than the specification asks for, in n8n's engine, over real HTTP. One
 * property: each item has exactly its result, or an error that helps, in order, nothing is billed twice, and no key is
 * shown (as after every run of `useSandbox`). A failing history is printed with its seed and path; SEED and UNKIND_PATH
 * play it again, UNKIND_HISTORIES plays more. Lists and changes have their random services in test/unit.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { INodeExecutionData } from 'n8n-workflow';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { send } from '../../sandbox/test-client.mts';
import { seed } from '../../seed.mts';
import { useSandbox, type NodeRun } from '../harness/support.mts';
import {
	callHistory,
	drawnSettings,
	scripted,
	services,
	type CallHistory,
	type Service,
} from './call-histories.mts';

type Json = Record<string, unknown>;
type Outcome = 'right' | 'error';

const { UNKIND_PATH, UNKIND_HISTORIES } = process.env;
const histories = Number(UNKIND_HISTORIES ?? 200);
/** After a failure, smaller ones are looked for so long. */
const mostMs = 240_000;
/** Waits are drawn short, so a history that takes longer is one that waits for what it cannot get, in ms. */
const longestMs = 20_000;

// Full jitter makes the waits up to a second long; their lengths have unit tests of their own.
vi.spyOn(Math, 'random').mockReturnValue(0.02);

const bench = useSandbox({ companies: 1 });
/** Where the service says that it has moved to. It must never be asked. */
let moved: Sandbox;
beforeAll(async () => {
	moved = await startSandbox({ companies: 1 });
});
afterAll(() => moved.stop());

function itemOf(subject: number): Json {
	return { id: `id_${subject}`, domain: `company-${subject}.example` };
}

/** What the service says about a subject when it is kind; the same question always has the same answer. */
async function expectedResults(
	{ subjects, unkind: { prospectTotal } }: CallHistory,
	{ objectType, path, counted, isGet }: Service,
): Promise<Map<number, unknown[]>> {
	const { sandbox } = bench;
	sandbox.setUnkind({ prospectTotal });
	const results = new Map<number, unknown[]>();
	for (const subject of new Set(subjects)) {
		const body = { ...itemOf(subject), ...(objectType && { object_type: objectType }) };
		const query = counted ? `?${new URLSearchParams(body as Record<string, string>)}` : '';
		const answer = isGet ? await send(sandbox, path + query) : await send(sandbox, path, { body });
		const { data } = answer.body;
		results.set(subject, counted === 'prospect' ? data.items : [data]);
	}
	sandbox.clearRequests();
	return results;
}

function parametersOf(history: CallHistory, { node, counted, isGet }: Service): Json {
	const [resource, operation] = node;
	const { maxConcurrent, maxRetries, sendIdenticalOnce, faults, unkind } = history;
	const hangs = faults.some(({ name }) => name === 'no answer in time');
	const options = {
		maxRetries,
		...(hangs && { timeout: 300 }),
		...(unkind.rateLimit && { maxWait: 10 }),
		...(counted && { maxConcurrent, sendIdenticalOnce }),
		...(counted && isGet && { httpMethod: 'GET' }),
	};
	const data = counted && { dataToSend: 'autoMapInputData' };
	return { resource, operation, ...data, options };
}

/** No body was processed more often than it was meant to be sent. */
function expectBilledOnce(
	{ subjects, sendIdenticalOnce }: CallHistory,
	{ counted }: Service,
): void {
	if (counted === undefined) return;
	const processed = bench.sandbox.calls[counted].map((body) => (body as Json).id);
	for (const subject of new Set(subjects)) {
		const asked = subjects.filter((one) => one === subject).length;
		const billed = processed.filter((id) => id === `id_${subject}`).length;
		const most = sendIdenticalOnce ? 1 : asked;
		expect(billed, `billed for subject ${subject}`).toBeLessThanOrEqual(most);
	}
}

/** The outputs by the input that they belong to. */
function byInput(run: NodeRun, inputs: number): INodeExecutionData[][] {
	const grouped: INodeExecutionData[][] = Array.from({ length: inputs }, () => []);
	for (const items of run.outputs) {
		const places = items.map(({ pairedItem }) => (pairedItem as { item: number }).item);
		expect(places, 'outputs are in the order of the input').toEqual(
			places.toSorted((one, other) => one - other),
		);
		items.forEach((item, index) => grouped[places[index]].push(item));
	}
	return grouped;
}

/** An error, thrown or as an item, says what happened and what to do, in words of this package. */
function expectHelpful(
	said: { message?: unknown; description?: unknown },
	{ unkind, faults }: CallHistory,
): void {
	const text = `${String(said.message)}\n${String(said.description)}`;
	expect(text).toMatch(/^.+\n.+/);
	expect(text).not.toMatch(/Something unexpected|undefined|\[object|TypeError|Cannot read/);
	if (unkind.redirectTo !== undefined && faults.length === 0) expect(text).toContain(moved.url);
}

/** What is not shown of a longer list is told. */
function expectTold({ hints }: NodeRun, total: number, shown: number): void {
	if (total <= shown) return;
	const told = hints.map(({ message }) => message.replace(/(\d),(?=\d)/g, '$1')).join('\n');
	expect(told, 'a hint tells how many results there are').toContain(String(total));
}

/** Plays the calls. Throws where the output is neither right nor an error that says what is missing. */
async function play(history: CallHistory): Promise<Outcome> {
	const { sandbox } = bench;
	const service: Service = services[history.operation];
	const { subjects, unkind, faults, onError, latencyMs } = history;
	const expected = await expectedResults(history, service);
	sandbox.setUnkind({ ...unkind, ...(unkind.redirectTo && { redirectTo: moved.url }) });
	sandbox.setLatency(latencyMs);
	for (const fault of scripted(history)) sandbox.addFault({ ...fault, path: service.path });
	const items = subjects.map(itemOf);
	const run = await bench.run(parametersOf(history, service), { items, onError });
	sandbox.clearFaults();
	sandbox.setLatency(0);
	expect(moved.requests).toEqual([]);
	expectBilledOnce(history, service);
	const mustBeRight = faults.length === 0 && unkind.redirectTo === undefined;
	if (run.error !== undefined) {
		expect([onError, mustBeRight]).toEqual(['stopWorkflow', false]);
		expect(run.outputs.flat()).toEqual([]);
		expectHelpful(run.error, history);
		return 'error';
	}
	let failed = 0;
	for (const [input, outputs] of byInput(run, subjects.length).entries()) {
		const { json = {} } = outputs[0] ?? {};
		if ('error' in json && 'details' in json) {
			failed++;
			expect(outputs).toHaveLength(1);
			expectHelpful({ message: json.error, description: json.message }, history);
			continue;
		}
		const results = expected.get(subjects[input]) ?? [];
		expect(outputs.map((item) => item.json)).toEqual(results);
		if (service.counted === 'prospect') expectTold(run, unkind.prospectTotal ?? 0, results.length);
	}
	if (failed > 0) expect([onError === 'stopWorkflow', mustBeRight]).toEqual([false, false]);
	return failed > 0 ? 'error' : 'right';
}

/** The rows of the table of outcomes; a history counts in several. */
const rows = ['all', 'kind', 'unkind', 'with faults', ...drawnSettings];
const counts = Object.fromEntries(rows.map((name) => [name, { right: 0, error: 0 }]));

async function playAndNote(history: CallHistory): Promise<void> {
	const ended = new AbortController();
	const tooLong = wait(longestMs, undefined, { signal: ended.signal }).then((): never => {
		throw new Error(`Nothing has come of it after ${longestMs / 1_000} s.`);
	});
	const outcome = await Promise.race([play(history), tooLong]).finally(() => ended.abort());
	const settings = Object.keys(history.unkind);
	const service = settings.length > 0 ? 'unkind' : 'kind';
	const disturbance = history.faults.length > 0 ? 'with faults' : service;
	if (disturbance === 'kind') expect(outcome).toBe('right');
	for (const name of ['all', disturbance, ...settings]) counts[name][outcome]++;
}

test(
	`each item has exactly its result, or an error that helps (${histories} histories)`,
	async () => {
		await fc.assert(fc.asyncProperty(callHistory, playAndNote), {
			numRuns: histories,
			seed,
			path: UNKIND_PATH,
			interruptAfterTimeLimit: mostMs,
			markInterruptAsFailure: true,
		});
		console.log(`Seed ${seed}: how the histories ended, by setting.`);
		console.table(counts);
		if (UNKIND_PATH !== undefined) return;
		for (const [name, { right, error }] of Object.entries(counts)) {
			expect(right + error, `histories of the row "${name}"`).toBeGreaterThan(histories / 100);
			// Failing always would have the property, too. Behind a redirect nothing can be right.
			if (name !== 'redirectTo') expect(right, `right ones of "${name}"`).toBeGreaterThan(0);
		}
		expect(counts.all.right).toBeGreaterThan(histories * 0.5);
	},
	mostMs + 60_000,
);
