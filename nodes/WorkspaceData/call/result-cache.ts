import { sleep, type IDataObject } from 'n8n-workflow';

import type { ServiceResponse } from '../../shared/client/api';
import { parseJson } from '../../shared/client/json';
import { InputProblem } from '../../shared/errors/node-errors';
import { formatNumber, quoted } from '../../shared/errors/words';
import { adviceOnTable, DataTable, matching, type Condition } from '../data-table';
import { NO_RESULT, whyNotReusable, type ResultKind } from '../response-to-items';
import type { NodeRun } from '../node-run';
import type { PaidCalls } from '../paid-calls';

const TABLE_NAME = 'workspace_data_results';
const COLUMNS = { key: 'string', answer: 'string', expires: 'date' } as const;

/** Maximum number of keys in one query of the data table, and of rows that are removed in one step. */
const ROWS_AT_ONCE = 500;
/** Maximum number of batches of expired rows that one run removes. */
const MAX_REMOVALS = 20;
/** Maximum length of a kept response, in characters of JSON. It limits the memory that a look-up needs. */
const MAX_RESPONSE_LENGTH = 100_000;
const TOO_LONG = `longer than ${formatNumber(MAX_RESPONSE_LENGTH)} characters`;
/** Pause between two writes to the data table, in ms. One write (some 20 ms) stores all results of a pause. */
const PAUSE_MS = 250;
const BY_ID = { orderBy: true, orderByColumn: 'id', orderByDirection: 'ASC' };
const DAY_MS = 86_400_000;
/** Maximum number of days to keep a result. A much larger number would give no valid date. */
const MAX_DAYS = 36_500;

/** Settings of Keep Results: days to keep a response, and fields that must have a value in each result. */
interface CacheSettings {
	days: number;
	onlyWith: readonly string[];
}

/** Stores results of calls in a data table of n8n, for later executions. A failed write never fails the call. */
export class ResultCache {
	private readonly table: DataTable;
	private readonly operation: ResultKind;
	private readonly found = new Map<string, { body: unknown; paidAt: number }>();
	private lookUpFailure: InputProblem | undefined;
	private readonly waiting: IDataObject[] = [];
	private writing: Promise<void> | undefined;
	private endPause = (): void => {};
	private readonly pauseEnded = new Promise<void>((resolve) => (this.endPause = resolve));
	private readonly paidCalls: Pick<PaidCalls, 'kept' | 'uncached' | 'whyUncached'>;

	constructor(nodeRun: Pick<NodeRun, 'context' | 'operation' | 'paidCalls'>) {
		this.table = new DataTable(nodeRun.context, TABLE_NAME, COLUMNS);
		this.operation = nodeRun.operation;
		this.paidCalls = nodeRun.paidCalls;
	}

	/** Looks up the stored results for call keys. If this fails, `find` throws the failure for every item. */
	async lookUp(keys: readonly string[]): Promise<void> {
		const conditions = [...new Set(keys)].map((key): Condition => ['key', 'eq', key]);
		try {
			while (conditions.length > 0) {
				const filter = matching(conditions.splice(0, ROWS_AT_ONCE), 'anyCondition');
				// The last row of a key is used if the table has several rows for it.
				const query = { ...filter, ...BY_ID, returnAll: true };
				const handedOver = await this.table.findHandedOver(query);
				const rows = [...handedOver, ...(await this.table.find(query))];
				for (const { key, answer: text, expires, createdAt } of rows) {
					// Check the row, because a user can empty or damage it in n8n.
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

	/** Returns a recent, complete result that `lookUp` found, or undefined. Throws InputProblem if `lookUp` failed. */
	find(key: string, { days, onlyWith }: CacheSettings): ServiceResponse | undefined {
		if (this.lookUpFailure !== undefined) throw this.lookUpFailure;
		const found = this.found.get(key);
		if (found === undefined || found.paidAt <= Date.now() - days * DAY_MS) return undefined;
		return this.isOfUse(found, { onlyWith }) ? found : undefined;
	}

	/** Checks whether a response can be reused as a kept result. Another execution may have received the response. */
	isOfUse(response: ServiceResponse, { onlyWith }: Pick<CacheSettings, 'onlyWith'>): boolean {
		return whyNotReusable(response, this.operation, onlyWith) === undefined;
	}

	/** Removes expired results, some hundred rows at a time, because n8n loads the rows of a removal into memory. */
	async removeExpired(): Promise<void> {
		const isExpired: Condition = ['expires', 'lt', new Date().toISOString()];
		for (let removals = 0; removals < MAX_REMOVALS; removals++) {
			const [first] = await this.table.find({ ...matching([isExpired]), ...BY_ID, limit: 1 });
			if (typeof first?.id !== 'number') return;
			const isInPart: Condition = ['id', 'lt', first.id + ROWS_AT_ONCE];
			await this.table.change({ operation: 'deleteRows', ...matching([isExpired, isInPart]) });
		}
	}

	/** Stores a response that can be reused, at once or with other responses after the current pause. */
	keep(key: string, { days, onlyWith }: CacheSettings, response: ServiceResponse): void {
		const reason = whyNotReusable(response, this.operation, onlyWith);
		// Do not count a response without a result here, because ResponsesToItems shows a hint for such responses.
		if (reason === NO_RESULT) return;
		const text = JSON.stringify(response.body);
		if (text.length > MAX_RESPONSE_LENGTH) return this.recordUncached(1, TOO_LONG);
		if (reason !== undefined) return this.recordUncached(1, reason);
		const expires = new Date(Date.now() + Math.min(days, MAX_DAYS) * DAY_MS).toISOString();
		this.waiting.push({ key, answer: text, expires });
		this.writing ??= this.write();
	}

	private recordUncached(count: number, reason: string): void {
		this.paidCalls.uncached += count;
		this.paidCalls.whyUncached.add(reason);
	}

	/** Waits until the results are written. Ends the current pause, and does not throw if a write fails. */
	async finish(): Promise<void> {
		this.endPause();
		await this.writing;
	}

	/** Writes the waiting results. n8n writes many rows at once only with `autoMapInputData` and `optimizeBulk`. */
	private async write(): Promise<void> {
		const columns = { mappingMode: 'autoMapInputData' };
		const parameters = { operation: 'insert', columns, options: { optimizeBulk: true } };
		while (this.waiting.length > 0) {
			const rows = this.waiting.splice(0);
			try {
				await this.table.change(parameters, rows);
				this.paidCalls.kept += rows.length;
			} catch (error) {
				const reason = `n8n could not write to its data table ${TABLE_NAME} (${quoted(error)})`;
				this.recordUncached(rows.length, reason);
			}
			await Promise.race([sleep(PAUSE_MS), this.pauseEnded]);
		}
		this.writing = undefined;
	}
}
