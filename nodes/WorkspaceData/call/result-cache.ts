import { sleep, type IDataObject } from 'n8n-workflow';

import type { ServiceResponse } from '../../shared/client/api';
import { parseJson } from '../../shared/client/json';
import { InputProblem } from '../../shared/errors/node-errors';
import { formatNumber, quoted } from '../../shared/errors/words';
import { adviceOnTable, DataTable, matching, type Condition } from '../data-table';
import { NO_RESULT, whyNotReusable, type Finds } from '../response-to-items';
import type { NodeRun } from '../node-run';

const TABLE_NAME = 'workspace_data_results';
const COLUMNS = { key: 'string', answer: 'string', expires: 'date' } as const;

/** Looked up in one query of n8n's database, and removed in one step. */
const ROWS_AT_ONCE = 500;
/** Bounds what one run removes, so that it ends. */
const MAX_REMOVALS = 20;
/** Characters of an answer, as JSON; so a look-up fits into memory. */
const MAX_ANSWER_LENGTH = 100_000;
const TOO_LONG = `longer than ${formatNumber(MAX_ANSWER_LENGTH)} characters`;
/** Between one write and the next, in ms, so that many results are one step of n8n: each costs some 20 ms. */
const PAUSE_MS = 250;
const BY_ID = { orderBy: true, orderByColumn: 'id', orderByDirection: 'ASC' };
const DAY_MS = 86_400_000;
/** More days would give no date; a hundred years are for ever. */
const MAX_DAYS = 36_500;

/** For how many days an answer is kept, and in which fields each of its results must have a value. */
interface CacheSettings {
	days: number;
	onlyWith: readonly string[];
}

/** Results of calls in a data table of n8n, for later executions. No call fails because its result cannot be kept. */
export class ResultCache {
	private readonly table: DataTable;
	private readonly operation: Finds;
	private readonly found = new Map<string, { body: unknown; paidAt: number }>();
	private lookUpFailure: InputProblem | undefined;
	private readonly waiting: IDataObject[] = [];
	private writing: Promise<void> | undefined;
	private end = (): void => {};
	private readonly ended = new Promise<void>((resolve) => (this.end = resolve));
	/** Number of results that are not kept, and the reasons. */
	uncached = 0;
	readonly whyUncached = new Set<string>();

	constructor({ context, operation }: Pick<NodeRun, 'context' | 'operation'>) {
		this.table = new DataTable(context, TABLE_NAME, COLUMNS);
		this.operation = operation;
	}

	/** Looks results up, many at once. If that fails, `find` throws the failure. */
	async lookUp(keys: readonly string[]): Promise<void> {
		const conditions = [...new Set(keys)].map((key): Condition => ['key', 'eq', key]);
		try {
			while (conditions.length > 0) {
				const choice = matching(conditions.splice(0, ROWS_AT_ONCE), 'anyCondition');
				// Of several rows of one call, the last one counts.
				const wanted = { ...choice, ...BY_ID, returnAll: true };
				const former = await this.table.findHandedOver(wanted);
				const rows = [...former, ...(await this.table.find(wanted))];
				for (const { key, answer: text, expires, createdAt } of rows) {
					// A user may have emptied the row.
					const body = typeof text === 'string' ? parseJson(text) : undefined;
					if (body === undefined || !(Date.parse(String(expires)) > Date.now())) continue;
					this.found.set(String(key), { body, paidAt: Date.parse(String(createdAt)) });
				}
			}
		} catch (error) {
			this.lookUpFailure = new InputProblem(
				"'Keep Results' cannot look up results that were paid for",
				`${adviceOnTable(TABLE_NAME, error, 'remove the option in this node')}\nNothing was sent for this item, because its result may have been paid for already.`,
			);
		}
	}

	/** Returns a result that was looked up, unless it is too old or lacks a field. Throws InputProblem if the look-up failed. */
	find(key: string, { days, onlyWith }: CacheSettings): ServiceResponse | undefined {
		if (this.lookUpFailure !== undefined) throw this.lookUpFailure;
		const found = this.found.get(key);
		if (found === undefined || found.paidAt <= Date.now() - days * DAY_MS) return undefined;
		return this.isOfUse(found, { onlyWith }) ? found : undefined;
	}

	/** Checks whether a response, also of another execution, would be kept here. */
	isOfUse(response: ServiceResponse, { onlyWith }: Pick<CacheSettings, 'onlyWith'>): boolean {
		return whyNotReusable(response, this.operation, onlyWith) === undefined;
	}

	/** Removes expired results, some hundred at once: n8n reads all that it removes. */
	async removeExpired(): Promise<void> {
		const isOver: Condition = ['expires', 'lt', new Date().toISOString()];
		for (let removals = 0; removals < MAX_REMOVALS; removals++) {
			const [first] = await this.table.find({ ...matching([isOver]), ...BY_ID, limit: 1 });
			if (typeof first?.id !== 'number') return;
			const isNear: Condition = ['id', 'lt', first.id + ROWS_AT_ONCE];
			await this.table.change({ operation: 'deleteRows', ...matching([isOver, isNear]) });
		}
	}

	/** Keeps the result of a call, if it has one: written at once, or together with others a moment after the last write. */
	keep(key: string, { days, onlyWith }: CacheSettings, response: ServiceResponse): void {
		const why = whyNotReusable(response, this.operation, onlyWith);
		// A hint at the end of the run counts responses without a result.
		if (why === NO_RESULT) return;
		const text = JSON.stringify(response.body);
		if (text.length > MAX_ANSWER_LENGTH) return this.leaveOut(1, TOO_LONG);
		if (why !== undefined) return this.leaveOut(1, why);
		const expires = new Date(Date.now() + Math.min(days, MAX_DAYS) * DAY_MS).toISOString();
		this.waiting.push({ key, answer: text, expires });
		this.writing ??= this.write();
	}

	private leaveOut(count: number, why: string): void {
		this.uncached += count;
		this.whyUncached.add(why);
	}

	/** Waits until every result is written, or has failed to be. */
	async finish(): Promise<void> {
		this.end();
		await this.writing;
	}

	/** n8n writes many rows in one step only where they are the node's input and it returns nothing. */
	private async write(): Promise<void> {
		const columns = { mappingMode: 'autoMapInputData' };
		const parameters = { operation: 'insert', columns, options: { optimizeBulk: true } };
		while (this.waiting.length > 0) {
			const rows = this.waiting.splice(0);
			try {
				await this.table.change(parameters, rows);
			} catch (error) {
				const why = `n8n could not write to its data table ${TABLE_NAME} (${quoted(error)})`;
				this.leaveOut(rows.length, why);
			}
			await Promise.race([sleep(PAUSE_MS), this.ended]);
		}
		this.writing = undefined;
	}
}
