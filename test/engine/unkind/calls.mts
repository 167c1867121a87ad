/** Items for one call against the unkind sandbox: one result for each, in order, and nothing billed twice. */
import { expect } from 'vitest';
import { send } from '../../sandbox/test-client.mts';
import type { Unkindness } from '../../sandbox/types.mts';
import type { NodeRun } from '../harness/support.mts';
import type { CallHistory } from './drawing.mts';
import {
	disturb,
	expectHelpful,
	expectNoSecret,
	isErrorItem,
	makeKind,
	saidBy,
	saidByError,
	type Outcome,
	type World,
} from './outcome.mts';

type Json = Record<string, unknown>;

interface Service {
	node: [resource: string, operation: string];
	path: string;
	/** What the node adds to every body. */
	objectType?: 'company' | 'deal';
	counted?: 'enrich' | 'score' | 'prospect';
	isGet?: true;
}

const score = { path: '/v2/score', counted: 'score' } as const;
const prospect: Service = {
	node: ['company', 'prospect'],
	path: '/v2/prospect/companies',
	counted: 'prospect',
};

const services: Record<CallHistory['operation'], Service> = {
	enrich: { node: ['company', 'enrich'], path: '/v2/enrich', counted: 'enrich' },
	scoreCompany: { node: ['company', 'score'], objectType: 'company', ...score },
	scoreDeal: { node: ['deal', 'score'], objectType: 'deal', ...score },
	prospect,
	prospectByGet: { ...prospect, isGet: true },
	whoAmI: { node: ['workspace', 'whoAmI'], path: '/v2/public/auth/whoami', isGet: true },
};

function itemOf(subject: number): Json {
	return { id: `id_${subject}`, domain: `company-${subject}.example` };
}

/** What the node makes of the item. */
function bodyOf(subject: number, { objectType }: Service): Json {
	return { ...itemOf(subject), ...(objectType && { object_type: objectType }) };
}

/** What the service says about a subject when it is kind; the same question always has the same answer. */
async function expectedResults(
	{ sandbox }: World,
	history: CallHistory,
	service: Service,
): Promise<Map<number, unknown[]>> {
	const { prospectTotal } = history.unkind;
	sandbox.setUnkind({ prospectTotal });
	const results = new Map<number, unknown[]>();
	for (const subject of new Set(history.subjects)) {
		const body = bodyOf(subject, service);
		const isWhoAmI = service.counted === undefined;
		const query = isWhoAmI ? '' : `?${new URLSearchParams(body as Record<string, string>)}`;
		const answer = service.isGet
			? await send(sandbox, service.path + query)
			: await send(sandbox, service.path, { body });
		const { data } = answer.body;
		results.set(subject, service.counted === 'prospect' ? data.items : [data]);
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
function expectBilledOnce({ sandbox }: World, history: CallHistory, service: Service): void {
	if (service.counted === undefined) return;
	const processed = sandbox.calls[service.counted].map((body) => (body as Json).id);
	for (const subject of new Set(history.subjects)) {
		const asked = history.subjects.filter((one) => one === subject).length;
		const billed = processed.filter((id) => id === `id_${subject}`).length;
		expect(billed, `billed for subject ${subject}`).toBeLessThanOrEqual(
			history.sendIdenticalOnce ? 1 : asked,
		);
	}
}

/** The outputs by the input that they belong to. */
function byInput(run: NodeRun, inputs: number): Array<NonNullable<NodeRun['outputs'][0]>> {
	const grouped: Array<NonNullable<NodeRun['outputs'][0]>> = Array.from(
		{ length: inputs },
		() => [],
	);
	for (const items of run.outputs) {
		let last = 0;
		for (const item of items) {
			const { item: index } = item.pairedItem as { item: number };
			expect(index, 'outputs are in the order of the input').toBeGreaterThanOrEqual(last);
			last = index;
			grouped[index]?.push(item);
		}
	}
	return grouped;
}

const harmless: ReadonlyArray<keyof Unkindness> = ['rateLimit', 'echoSecrets', 'prospectTotal'];

function mustBeRight({ faults, unkind }: CallHistory): boolean {
	const names = Object.keys(unkind) as Array<keyof Unkindness>;
	return faults.length === 0 && names.every((name) => harmless.includes(name));
}

/** What is not shown of a longer list is told. */
function expectTold(run: NodeRun, total: number, shown: number): void {
	if (total <= shown) return;
	const told = run.hints.map(({ message }) => message.replace(/(\d),(?=\d)/g, '$1')).join('\n');
	expect(told, 'a hint tells how many results there are').toContain(String(total));
}

/** Plays the calls. Throws where the output is neither right nor an error that says what is missing. */
export async function playCalls(world: World, history: CallHistory): Promise<Outcome> {
	const service = services[history.operation];
	const { subjects, unkind } = history;
	const expected = await expectedResults(world, history, service);
	disturb(world, unkind, history.faults, service.path);
	const items = subjects.map(itemOf);
	const { onError } = history;
	const run = await world.run(parametersOf(history, service), { items, onError });
	expectNoSecret(run);
	makeKind(world, unkind);
	expectBilledOnce(world, history, service);
	if (run.error !== undefined) {
		expect(onError).toBe('stopWorkflow');
		expect(run.outputs.flat()).toEqual([]);
		expectHelpful(saidByError(run.error), history, world);
		expect(mustBeRight(history)).toBe(false);
		return 'error';
	}
	let failed = 0;
	for (const [input, outputs] of byInput(run, subjects.length).entries()) {
		const [first, ...more] = outputs;
		if (first !== undefined && isErrorItem(first)) {
			failed++;
			expect(more).toEqual([]);
			expectHelpful(saidBy(first), history, world);
			continue;
		}
		const results = expected.get(subjects[input] as number) ?? [];
		expect(outputs.map(({ json }) => json)).toEqual(results);
		if (service.counted === 'prospect') expectTold(run, unkind.prospectTotal ?? 0, results.length);
	}
	if (failed > 0) {
		expect(onError).not.toBe('stopWorkflow');
		expect(mustBeRight(history)).toBe(false);
	}
	return failed > 0 ? 'error' : 'right';
}
