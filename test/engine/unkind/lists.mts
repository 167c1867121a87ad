/** One list against the unkind sandbox: exactly the records, each once, in order, or an error. */
import { expect } from 'vitest';
import type { ObjectType, Sandbox, Unkindness } from '../../sandbox/types.mts';
import { cellFor, exactText, filesOf, linesOf, rowsOf } from '../WorkspaceData/export/reading.mts';
import type { NodeRun } from '../harness/support.mts';
import type { ListHistory } from './drawing.mts';
import {
	disturb,
	errorItemsOf,
	expectHelpful,
	expectNoSecret,
	makeKind,
	resultItemsOf,
	saidBy,
	saidByError,
	type Outcome,
	type World,
} from './outcome.mts';

type Row = Record<string, unknown>;

/** The records in the order that was asked for, by looking at them and not at the service's pages. */
function expectedRecords(sandbox: Sandbox, history: ListHistory): Row[] {
	const { objectType, sort, pagination, unkind } = history;
	const records = [...sandbox.records(objectType)];
	const field = sort ?? (pagination === 'cursor' ? 'updated_at' : undefined);
	if (field === undefined) return records;
	const undatedKey = unkind.undated?.place === 'first' ? '' : '~';
	const key = (record: Row) => (record[field] as string | null | undefined) ?? undatedKey;
	// The sort is stable, and the records come in the order of their ids.
	return records.toSorted((one, other) =>
		key(one) === key(other) ? 0 : key(one) < key(other) ? -1 : 1,
	);
}

/** A record as it reads after JSON.parse, which is how items come: integers beyond 2^53 lose their last digits there. */
function parsedText(record: Row): string {
	return JSON.stringify(JSON.parse(exactText(record)));
}

function place({ operation, objectType }: { operation: string; objectType: ObjectType }): Row {
	return operation === 'query'
		? { resource: 'record', operation: 'query', objectType }
		: { resource: operation, operation: 'getAll' };
}

function parametersOf(history: ListHistory): Row {
	const { pagination, sort, limit, pageSize, outputAs, recordsPerFile, maxRetries } = history;
	const { faults, operation } = history;
	const sortKey = sort && (operation === 'query' ? `standard:${sort}:asc` : sort);
	const hangs = faults.some(({ name }) => name === 'no answer in time');
	const options = {
		maxRetries,
		...(hangs && { timeout: 300 }),
		...(pageSize && { pageSize }),
		...(pagination === 'page' ? { pagination, ...(sortKey && { sortKey }) } : sort && { sort }),
		...((outputAs === 'ndjson' || outputAs === 'csv') && { recordsPerFile }),
		...(history.unkind.rateLimit && { maxWait: 10 }),
	};
	const howMany = limit === undefined ? { returnAll: true } : { limit };
	return { ...place(history), ...howMany, outputAs, options };
}

/** How many records came out, which are proven to be the first ones expected; and where they say to go on. */
interface Delivered {
	records: number;
	/** Cursors that came with the output, with the number of records up to each. */
	cursors: Array<{ after: number; cursor: string }>;
}

async function deliveredBy(
	run: NodeRun,
	history: ListHistory,
	expected: Row[],
): Promise<Delivered> {
	const items = resultItemsOf(run);
	if (history.outputAs === 'items') {
		expect(items.map(({ json }) => JSON.stringify(json))).toEqual(
			expected.slice(0, items.length).map(parsedText),
		);
		return { records: items.length, cursors: [] };
	}
	if (history.outputAs === 'pages') return deliveredPages(run, expected);
	return await deliveredFiles(run, history, expected);
}

function deliveredPages(run: NodeRun, expected: Row[]): Delivered {
	const found: string[] = [];
	const cursors: Delivered['cursors'] = [];
	for (const { json } of resultItemsOf(run)) {
		const page = json as { data: { items: Row[] }; meta: { pagination: { next_cursor?: string } } };
		found.push(...page.data.items.map((record) => JSON.stringify(record)));
		const { next_cursor: cursor } = page.meta.pagination;
		if (typeof cursor === 'string') cursors.push({ after: found.length, cursor });
	}
	expect(found).toEqual(expected.slice(0, found.length).map(parsedText));
	return { records: found.length, cursors };
}

async function deliveredFiles(
	run: NodeRun,
	{ outputAs, recordsPerFile }: ListHistory,
	expected: Row[],
): Promise<Delivered> {
	const files = await filesOf({ ...run, outputs: [resultItemsOf(run)] });
	const cursors: Delivered['cursors'] = [];
	let records = 0;
	for (const { facts, text } of files) {
		const wanted = expected.slice(records, records + facts.records);
		expect(wanted).toHaveLength(facts.records);
		expect(facts.records).toBeLessThanOrEqual(recordsPerFile);
		if (outputAs === 'ndjson') expect(linesOf([{ facts, text }])).toEqual(wanted.map(exactText));
		else if (facts.records > 0) expectRows(rowsOf({ facts, text }), wanted);
		records += facts.records;
		if (facts.nextCursor !== null) cursors.push({ after: records, cursor: facts.nextCursor });
	}
	return { records, cursors };
}

function expectRows(rows: Array<Record<string, string>>, wanted: Row[]): void {
	for (const [index, record] of wanted.entries()) {
		const row = rows[index] ?? {};
		expect(Object.keys(row)).toEqual(expect.arrayContaining(Object.keys(record)));
		expect(row).toEqual(
			Object.fromEntries(Object.keys(row).map((name) => [name, cellFor(record[name])])),
		);
	}
}

/** Going on from a cursor gives every record that had not come out, at the most after some that had. */
async function expectNoGap(
	world: World,
	history: ListHistory,
	expected: Row[],
	{ after, cursor }: { after: number; cursor: string },
): Promise<void> {
	const options = { startCursor: cursor };
	const rest = await world.run({ ...place(history), returnAll: true, options });
	expect(rest.error).toBeUndefined();
	const texts = resultItemsOf(rest).map(({ json }) => JSON.stringify(json));
	expect(texts.length, `going on after ${after} records skips some`).toBeGreaterThanOrEqual(
		expected.length - after,
	);
	expect(texts).toEqual(expected.slice(expected.length - texts.length).map(parsedText));
}

/** The unkindness that a list by cursor gets through whatever it does, when nothing else goes wrong. */
const harmlessByCursor: ReadonlyArray<keyof Unkindness> = [
	'rateLimit',
	'pageInQueryIgnored',
	'silentPageCap',
	'cursorsCountPages',
	'extraRecords',
	'numericIds',
	'undated',
	'zonelessDates',
	'trimmedDates',
	'echoSecrets',
	'latencyPerRecordMs',
	'bytesPerPart',
];
const harmlessByPage: ReadonlyArray<keyof Unkindness> = [
	'rateLimit',
	'numericIds',
	'undated',
	'zonelessDates',
	'trimmedDates',
	'echoSecrets',
	'latencyPerRecordMs',
	'bytesPerPart',
];

function mustBeRight({ faults, unkind, pagination }: ListHistory): boolean {
	const harmless = pagination === 'cursor' ? harmlessByCursor : harmlessByPage;
	const names = Object.keys(unkind) as Array<keyof Unkindness>;
	return faults.length === 0 && names.every((name) => harmless.includes(name));
}

/** Plays a list. Throws where the output is neither right nor an error that says what is missing. */
export async function playList(world: World, history: ListHistory): Promise<Outcome> {
	disturb(world, history.unkind, history.faults);
	const expected = expectedRecords(world.sandbox, history);
	const wanted = Math.min(expected.length, history.limit ?? Infinity);
	const run = await world.run(parametersOf(history), { onError: history.onError });
	expectNoSecret(run);
	makeKind(world, history.unkind);
	const [failed, ...more] = errorItemsOf(run);
	expect(more).toEqual([]);
	if (run.error !== undefined) {
		expect(history.onError).toBe('stopWorkflow');
		expect(run.outputs.flat()).toEqual([]);
		expectHelpful(saidByError(run.error), history, world);
	}
	const delivered = await deliveredBy(run, history, expected);
	for (const cursor of delivered.cursors.slice(-1)) {
		await expectNoGap(world, history, expected, cursor);
	}
	if (failed !== undefined)
		await expectResumable(world, history, expected, delivered, saidBy(failed));
	const isRight = run.error === undefined && failed === undefined;
	if (isRight) expect(delivered.records).toBe(wanted);
	if (mustBeRight(history)) expect(failed ?? run.error).toBeUndefined();
	return isRight ? 'right' : 'error';
}

async function expectResumable(
	world: World,
	history: ListHistory,
	expected: Row[],
	delivered: Delivered,
	said: ReturnType<typeof saidBy>,
): Promise<void> {
	expectHelpful(said, history, world);
	const { nextCursor, recordsRead } = said.details;
	if (recordsRead !== undefined) expect(recordsRead).toBe(delivered.records);
	if (typeof nextCursor === 'string') {
		const place = { after: delivered.records, cursor: nextCursor };
		await expectNoGap(world, history, expected, place);
	} else if (history.pagination === 'cursor' && !said.message.includes('repeats itself')) {
		// Without a cursor one starts again from the beginning; then nothing may have seemed to be done. Behind a
		// cursor that was read before there is nowhere to go on to, and the message says so.
		expect(delivered.records).toBe(0);
	}
}
