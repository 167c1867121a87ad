/** One list against the unkind sandbox: exactly the records, each once, in order, or an error. */
import { expect } from 'vitest';
import type { ObjectType, Sandbox } from '../../sandbox/types.mts';
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
import { isHidden, mustListBeRight } from './visible.mts';

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
	const ascending = records.toSorted((one, other) =>
		key(one) === key(other) ? 0 : key(one) < key(other) ? -1 : 1,
	);
	return unkind.descending ? ascending.toReversed() : ascending;
}

/** What came, without the field that each answer signs anew. */
function withoutLogo(text: string): string {
	return text.replace(/,"logo_url":"https:[^"]*"/, '');
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
	const { faults, operation, ignoreTotal } = history;
	const sortKey = sort && (operation === 'query' ? `standard:${sort}:asc` : sort);
	const hangs = faults.some(({ name }) => name === 'no answer in time');
	const options = {
		maxRetries,
		...(hangs && { timeout: 300 }),
		...(pageSize && { pageSize }),
		...(ignoreTotal && pagination === 'cursor' && { ignoreTotal }),
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
	/** A file says that it is the last. */
	isLast?: boolean;
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
		expect(items.map(({ json }) => withoutLogo(JSON.stringify(json)))).toEqual(
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
		found.push(...page.data.items.map((record) => withoutLogo(JSON.stringify(record))));
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
		const lines = outputAs === 'ndjson' ? linesOf([{ facts, text }]).map(withoutLogo) : undefined;
		if (lines) expect(lines).toEqual(wanted.map(exactText));
		else if (facts.records > 0) expectRows(rowsOf({ facts, text }), wanted);
		records += facts.records;
		if (facts.nextCursor !== null) cursors.push({ after: records, cursor: facts.nextCursor });
	}
	return { records, cursors, isLast: files.some(({ facts }) => facts.isLast) };
}

function expectRows(rows: Array<Record<string, string>>, wanted: Row[]): void {
	for (const [index, record] of wanted.entries()) {
		const row = { ...rows[index] };
		delete row.logo_url;
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
	if (mustListBeRight(history)) expect(failed ?? run.error).toBeUndefined();
	if (run.error !== undefined || failed !== undefined) {
		expect(delivered.isLast ?? false).toBe(false);
		return 'error';
	}
	expectWhole(history, delivered.records, wanted);
	return delivered.records < wanted ? 'hidden' : 'right';
}

/** So many records came, unless nothing shows that there are more. */
function expectWhole(history: ListHistory, came: number, wanted: number): void {
	if (!isHidden(history, came)) expect(came).toBe(wanted);
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
	} else if (history.pagination === 'cursor' && !/repeats itself|ended early/.test(said.message)) {
		// Without a cursor one starts again from the beginning; then nothing may have seemed to be done. After a
		// cursor that was read before, or the end, there is nowhere to go on to, and the message says so.
		expect(delivered.records).toBe(0);
	}
}
