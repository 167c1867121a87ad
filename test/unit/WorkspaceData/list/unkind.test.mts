import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ServiceFailure } from '../../../../nodes/client/failures.ts';
import { listSizes } from '../../../../nodes/lists/page-size.ts';
import { runList } from '../../../../nodes/WorkspaceData/list/run.ts';
import type { Task } from '../../../../nodes/WorkspaceData/task.ts';
import { rowOf } from '../parameters-support.mts';
import { choices, services, type Choice } from './histories.mts';
import { ListService, positionOf, type UnkindService } from './service.mts';

const COMPANIES = rowOf('company', 'getAll');

/** What one run of the node came to. */
interface Outcome {
	service: ListService;
	items: Array<{ json: Record<string, unknown>; file?: string }>;
	hints: string[];
	error?: unknown;
}

/** Runs the operation as n8n does, without n8n; a failure is kept beside what came before it. */
async function run(model: UnkindService, choice: Choice, failingFile = 0): Promise<Outcome> {
	const service = new ListService(model);
	const { outputAs, limit, options } = choice;
	const parameters: Record<string, unknown> = { outputAs, limit, options };
	parameters.returnAll = limit === undefined;
	const hints: string[] = [];
	let files = 0;
	const output: Array<{ json: Record<string, unknown>; binary?: { data: string } }> = [];
	const prepareBinaryData = async (bytes: Buffer): Promise<string> => {
		if (++files === failingFile) throw new Error('disk full');
		return bytes.toString();
	};
	const task = {
		context: {
			getNode: () => ({ type: 'workspaceData' }),
			continueOnFail: () => true,
			getTimezone: () => 'UTC',
			logger: { info: () => undefined },
			helpers: { prepareBinaryData },
			addExecutionHints: ({ message }: { message: string }) => hints.push(message),
		},
		operation: COMPANIES,
		endpoint: COMPANIES.endpoints.v2,
		session: {
			client: service.answer.bind(service),
			sizes: listSizes(),
			throwIfCancelled: () => undefined,
		},
		fileNames: new Set(),
		itemIndex: 0,
		get: (name: string, fallback?: unknown) => parameters[name] ?? fallback,
		output,
	};
	const error: unknown = await runList(task as unknown as Task).then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	const items = output.map(({ json, binary }) => ({ json, file: binary?.data }));
	return { service, items, hints, error };
}

const numbersIn = (records: unknown): unknown[] =>
	(records as Array<{ n: unknown }>).map(({ n }) => n);

/** The numbers of the records that one output item holds. What else files hold of them is in the exports' tests. */
function numbersOf({ json, file }: Outcome['items'][number], choice: Choice): unknown[] {
	if (choice.outputAs === 'items') return numbersIn([json]);
	if (choice.outputAs === 'pages') return numbersIn((json.data as { items: unknown }).items);
	expect(json.bytes).toBe(Buffer.byteLength(file ?? ''));
	expect(json.records).toBeLessThanOrEqual(choice.options.recordsPerFile as number);
	const lines = (file ?? '').split('\n').slice(0, -1);
	return numbersIn(lines.map((line) => JSON.parse(line) as object));
}

/** Where each output item says to go on, and how many records are put out up to there. */
function placesIn(
	{ items, error }: Outcome,
	choice: Choice,
	counts: number[],
): Array<[string, number]> {
	const places: Array<[string, number]> = [];
	let count = 0;
	for (const [index, { json }] of items.entries()) {
		count += counts[index];
		const page = json as { meta?: { pagination: { next_cursor?: unknown } } };
		const next = choice.outputAs === 'pages' ? page.meta?.pagination.next_cursor : json.nextCursor;
		if (typeof next === 'string' && next !== '') places.push([next, count]);
	}
	if (error instanceof ServiceFailure) {
		const { nextCursor, recordsRead } = error.facts;
		expect(recordsRead).toBe(count);
		if (nextCursor !== undefined) places.push([nextCursor, count]);
	}
	return places;
}

/** The one promise of every list. */
async function expectRightOrSaid(
	model: UnkindService,
	chosen: Choice,
	failingFile: number,
): Promise<void> {
	const { start, limit = Infinity } = chosen;
	const outcome = await run(model, chosen, failingFile);
	const counted = outcome.items.map((item) => numbersOf(item, chosen));
	const found = counted.flat();
	const list = numbersIn(outcome.service.recordsNow.map((text) => JSON.parse(text) as object));
	// What a list that lost its beginning meanwhile should have given is what it was at first.
	const first = model.change !== undefined && model.change.by < 0 && outcome.error ? 0 : list[0];
	expect(found).toEqual(found.map((_n, index) => Number(first ?? 0) + start + index));
	if (outcome.error === undefined) {
		expect(found).toHaveLength(Math.min(limit, Math.max(0, list.length - start)));
	} else {
		expect(['ServiceFailure', 'StorageProblem']).toContain((outcome.error as Error).name);
	}
	const places = placesIn(
		outcome,
		chosen,
		counted.map(({ length }) => length),
	);
	for (const [cursor, count] of places) expect(positionOf(cursor)).toBe(start + count);
	const { leftOut } = expectMarked(outcome, chosen, start + found.length >= list.length);
	// With Limit, the last page may hold more than is wanted.
	if (limit === Infinity) expect(leftOut).toBe(0);
	expectNoGapBehindFiles(outcome, start + found.length);
	await expectRest(model, chosen, places.at(-1)?.[0], list);
}

/** Where a list by cursor ends before its end, without an error, something says how to go on or why one cannot. */
function expectMarked(
	{ items, hints, error }: Outcome,
	{ outputAs, options }: Choice,
	isAll: boolean,
): { leftOut: number } {
	const last = items.at(-1)?.json ?? {};
	// Records as items have no cursor that somebody could continue from.
	if (outputAs === 'items') expect(hints).toEqual([]);
	if (error !== undefined || outputAs === 'items' || options.pagination === 'page')
		return { leftOut: 0 };
	const { next_cursor: next, records_left_out: pageLeftOut } =
		(last.meta as { pagination: Record<string, unknown> } | undefined)?.pagination ?? {};
	const leftOut = Number((outputAs === 'pages' ? pageLeftOut : last.recordsLeftOut) ?? 0);
	const hasCursor = typeof (outputAs === 'pages' ? next : last.nextCursor) === 'string';
	if (!isAll) expect(hasCursor).toBe(leftOut === 0);
	expect(hints.filter((hint) => hint.includes('no cursor leads to them'))).toHaveLength(
		leftOut > 0 ? 1 : 0,
	);
	if (outputAs !== 'pages') expect(last.isLast).toBe(leftOut === 0);
	return { leftOut };
}

/** Where n8n cannot store a file, the error leads to the end of those before it. */
function expectNoGapBehindFiles({ error }: Outcome, end: number): void {
	const { description = '' } = Object(error) as { description?: string };
	const cursor = /Start Cursor to:\n(\S+)$/.exec(description)?.[1];
	if (cursor === undefined) return;
	expect(positionOf(cursor)).toBe(end);
}

/** Going on from the cursor that was given, at a service that is kind again, gives exactly the rest. */
async function expectRest(
	model: UnkindService,
	{ options }: Choice,
	startCursor: string | undefined,
	list: unknown[],
): Promise<void> {
	if (startCursor === undefined || list.length !== model.records.length) return;
	const kind = { ...model, troubles: new Map(), refusesAbove: undefined, change: undefined };
	const rest = await run(kind, {
		outputAs: 'items',
		start: 0,
		options: { ...options, startCursor },
	});
	expect(rest.error).toBeUndefined();
	const numbers = numbersIn(rest.items.map(({ json }) => json));
	expect(numbers).toEqual(list.slice(positionOf(startCursor)));
}

describe.each(['cursor', 'page'] as const)('any list by %s from any service', (mode) => {
	it('is exactly right, or says what is missing, and goes on without a gap', async () => {
		const failingFile = fc.constantFrom(0, 0, 0, 1, 3);
		await fc.assert(
			fc.asyncProperty(services(mode), choices(mode), failingFile, expectRightOrSaid),
			{ numRuns: 300 },
		);
	});
});
