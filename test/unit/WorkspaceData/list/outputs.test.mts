import fc from 'fast-check';
import { expect, it } from 'vitest';

import { ServiceFailure } from '../../../../nodes/shared/client/failures.ts';
import { InputProblem } from '../../../../nodes/shared/errors/node-errors.ts';
import type { PageRequest } from '../../../../nodes/shared/lists/page.ts';
import { runList } from '../../../../nodes/WorkspaceData/list/run-list.ts';
import type { Task } from '../../../../nodes/WorkspaceData/task.ts';
import { upTo } from '../../shared/lists/any-service.mts';
import { exactTexts, listModel, serve, type ListModel } from '../../shared/lists/list-model.mts';
import { rowOf } from '../parameters-support.mts';
import { startExecution, TableInMemory } from '../sync/n8n.mts';

const COMPANIES = rowOf('company', 'getAll');
const notAll = fc.option(fc.integer({ min: 1, max: 900 }), { nil: undefined });
const choices = fc.record({
	outputAs: fc.constantFrom('items', 'pages', 'ndjson'),
	limit: notAll,
	pageSize: fc.option(fc.integer({ min: 21, max: 300 }), { nil: undefined }),
	recordsPerFile: fc.integer({ min: 21, max: 900 }),
	/** Number of the file that n8n fails to store, from 1, or 0 if n8n stores all files. */
	failingFile: fc.constantFrom(0, 0, 0, 1, 3),
});
type Choice = typeof choices extends fc.Arbitrary<infer One> ? One : never;
type Json = Record<string, unknown>;

/** Runs Company: Get Many with a simulated n8n and a simulated service, with On Error set to Continue. */
async function run(
	model: ListModel,
	{ failingFile, limit, outputAs, ...more }: Partial<Choice>,
	from = {},
	type = 'workspaceData',
) {
	const { servePage } = serve(model);
	const parameters: Json = {
		outputAs,
		limit,
		returnAll: limit === undefined,
		options: { sort: 'created_at', ...more, ...from },
	};
	let files = 0;
	const prepareBinaryData = async (bytes: Buffer): Promise<string> => {
		if (++files === failingFile) throw new Error('disk full');
		return bytes.toString();
	};
	const { nodeRun, context, hints } = startExecution(new TableInMemory());
	const settings = { getNode: () => ({ type }), continueOnFail: () => true };
	Object.assign(context, { ...settings, helpers: { prepareBinaryData } });
	const output: Array<{ json: Json; binary?: { data: string } }> = [];
	const task = {
		nodeRun,
		context,
		operation: COMPANIES,
		endpoint: COMPANIES.endpoints.v2,
		session: {
			timeOfDay: () => 0,
			client: async ({ query }: { query: unknown }) => {
				const body = await servePage(query as PageRequest);
				// Unlike the parsed body, the text of the response has all digits of long IDs.
				return { body, text: exactTexts.get(body)! };
			},
		},
		itemIndex: 0,
		get: (name: string, fallback?: unknown) => parameters[name] ?? fallback,
		options: parameters.options,
		output,
	};
	const error: unknown = await runList(task as unknown as Task).catch((thrown: unknown) => thrown);
	return { output, hints, error };
}

/** Returns the numbers (`n`) of the records in an output item, which is a record, a page or a file. */
function numbersOf({ json, binary }: { json: Json; binary?: { data: string } }): number[] {
	const lines = binary?.data.split('\n').filter(Boolean) ?? [];
	const { items = [json] } = (json.data ?? {}) as { items?: unknown[] };
	const records = binary === undefined ? items : lines.map((line) => JSON.parse(line) as unknown);
	return (records as Array<{ n: number }>).map(({ n }) => n);
}

/** Returns the cursor and the page size with which a later run continues after an output item. */
function continuation({ json }: { json: Json }): Json {
	const page = (json.meta as { pagination: Json } | undefined)?.pagination;
	const { next_cursor, nextCursor: startCursor = next_cursor, pageSize } = page ?? json;
	return { startCursor, pageSize };
}

/** Returns the number of records left out because of Limit, as a file or page reports it. */
function recordsLeftOut({ json }: { json: Json }): number {
	const page = (json.meta as { pagination: Json } | undefined)?.pagination;
	return Number(json.recordsLeftOut ?? page?.recordsLeftOut ?? 0);
}

it('returns each record once in items, pages and files, and cursors with which a later run reads the rest', async () => {
	const kind = listModel(25).map(
		(model): ListModel => ({
			...model,
			...{ descending: false, total: undefined, wrongOnce: undefined },
			// After a start cursor, the node ignores the total. So a page whose next cursor points back to its own page
			// does not show the node that the list has ended (A3 in docs/maintainers/assumptions.md).
			trailingCursor: model.trailingCursor !== false,
			cursors: /forOneUse|OfLimit/.test(model.cursors ?? '') ? 'key' : model.cursors,
		}),
	);
	await fc.assert(
		fc.asyncProperty(kind, choices, fc.nat(50), async (model, drawn, stop) => {
			// In many cases, set Limit and Page Size to the number of records at which the service silently truncates a
			// page.
			const atCap = model.rowCap && stop % 2 && { limit: model.rowCap, pageSize: model.rowCap };
			const choice = { ...drawn, ...(atCap || {}) };
			choice.recordsPerFile = Math.max(choice.recordsPerFile, choice.pageSize ?? 0);
			const { output, hints, error } = await run(model, choice);
			const found = output.map(numbersOf);
			expect(found.flat()).toEqual(upTo(found.flat().length));
			const wanted = Math.min(model.records, choice.limit ?? Infinity);
			if (error === undefined) expect(found.flat()).toHaveLength(wanted);
			else expect(['ServiceFailure', 'InputProblem']).toContain((error as Error).name);

			const isOfError = (hint: string) => error !== undefined && hint.includes('stopped after');
			const isOfIds = (hint: string) => model.numericIds && hint.startsWith('Long numbers');
			const isOfTotal = (hint: string) => hint.includes('an earlier page had a total');
			const isExpected = [isOfError, isOfIds, isOfTotal];
			const others = hints.filter((hint) => !isExpected.some((is) => is(hint)));
			// Skip this check for files, because the node then shows an additional hint with the number of records.
			if (choice.outputAs !== 'ndjson') expect(others).toEqual([]);

			const ends = output.map(
				(item, index) => [continuation(item), found.slice(0, index + 1).flat().length] as const,
			);
			// If the last output has no next cursor, the list has ended, unless Limit left out records.
			const isMarked = output.length > 0 && recordsLeftOut(output.at(-1)!) > 0;
			const saysEnd = choice.outputAs !== 'items' && !ends.at(-1)?.[0].startCursor && !isMarked;
			if (saysEnd && error === undefined) expect(found.flat()).toHaveLength(model.records);
			if (error instanceof ServiceFailure) {
				const { nextCursor: startCursor, pageSize: pageSize, recordsRead } = error.facts;
				expect(recordsRead).toBe(found.flat().length);
				ends.push([{ startCursor, pageSize }, recordsRead ?? 0]);
			}
			const [from, count] = ends[stop % Math.max(1, ends.length)] ?? [{}, 0];
			if (typeof from.startCursor !== 'string') return;
			const rest = await run({ ...model, hangPageSizeAbove: undefined }, {}, from);
			expect(rest.error).toBeUndefined();
			expect(rest.output.flatMap(numbersOf)).toEqual(upTo(model.records).slice(count));
		}),
		{ numRuns: 100 },
	);
});

const kind: ListModel = { records: 100, cursors: 'key' };

it('rejects files as the output of an AI tool', async () => {
	const { output, error } = await run(kind, { outputAs: 'ndjson' }, {}, 'workspaceDataTool');
	const message = "'Output As' returns files, which n8n does not pass to a model";
	const description = "Set 'Output As' of this tool to Items or Pages.";
	expect([output, error]).toEqual([[], new InputProblem(message, description)]);
});

it('does not return empty pages for a date range, except the first page', async () => {
	const dates = (await run(kind, {})).output.map(({ json }) => String(json.created_at));
	const later = dates.filter((date) => date > dates[74]);
	const range = { changedAfter: dates[74] };
	const { output } = await run(kind, { outputAs: 'pages', pageSize: 30 }, range);
	expect(output.map((page) => numbersOf(page).length)).toEqual([0, later.length - 10, 10]);
});
