import { sleep, type IDataObject } from 'n8n-workflow';

import { isObject, parseJson, resultOf, WITHOUT_RESULT } from '../../client/envelope';
import { InputProblem } from '../../common/errors/node-errors';
import { keepFields } from '../../common/panel/kept-fields';
import { formatNumber, quoted } from '../../common/errors/words';
import { shown } from '../../common/panel/read-parameters';
import { adviceOnTable, DataTable, matching, type Condition } from '../data-table';
import { resultsOf, type Finds } from '../results';
import type { Try } from '../node-try';
import type { Answer } from '../call-outcomes';
import { hasValue } from './body';
import { SharedCalls } from './shared-calls';

const TABLE_NAME = 'workspace_data_results';
const COLUMNS = { key: 'string', answer: 'string', expires: 'date' } as const;

/** Looked up in one query of n8n's database, and removed in one step. */
const ROWS_AT_ONCE = 500;
/** Bounds what one run removes, so that it ends. */
const MAX_REMOVALS = 20;
/** What the service has sent a part of (206) is not final; nor is what is not known here. */
const FINAL_STATUSES = [200, 201];
const NOT_FINAL = 'the response tells an error, or has another status than 200 and 201';
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
interface Keeping {
	days: number;
	onlyWith: readonly string[];
}

/** Results of calls in a data table of n8n, for later executions. No call fails because its result cannot be kept. */
export class KeptResults {
	private readonly table: DataTable;
	private readonly operation: Finds;
	private readonly found = new Map<string, { answer: unknown; paidAt: number }>();
	private lookUpFailure: InputProblem | undefined;
	private readonly waiting: IDataObject[] = [];
	private writing: Promise<void> | undefined;
	private end = (): void => {};
	private readonly ended = new Promise<void>((resolve) => (this.end = resolve));
	/** To be released at the end of the run, whatever came of it. */
	readonly shared = new SharedCalls();
	/** How many results are not kept, by why. */
	readonly unkept = new Map<string, number>();

	constructor({ context, operation }: Pick<Try, 'context' | 'operation'>) {
		this.table = new DataTable(context, TABLE_NAME, COLUMNS);
		this.operation = operation;
	}

	/** Looks results up, many at once. `find` throws what goes wrong. What other runs ask for from now on is known too. */
	async lookUp(keys: readonly string[]): Promise<void> {
		this.shared.hold(keys);
		const conditions = [...new Set(keys)].map((key): Condition => ['key', 'eq', key]);
		try {
			while (conditions.length > 0) {
				const choice = matching(conditions.splice(0, ROWS_AT_ONCE), 'anyCondition');
				// Of several rows of one call, the last one counts.
				const wanted = { ...choice, ...BY_ID, returnAll: true };
				const former = await this.table.findHandedOver(wanted);
				const rows = [...former, ...(await this.table.find(wanted))];
				for (const { key, answer: text, expires, createdAt } of rows) {
					// What was emptied by hand is no answer.
					const answer = typeof text === 'string' ? parseJson(text) : undefined;
					if (answer === undefined || !(Date.parse(String(expires)) > Date.now())) continue;
					this.found.set(String(key), { answer, paidAt: Date.parse(String(createdAt)) });
				}
			}
		} catch (error) {
			this.lookUpFailure = new InputProblem(
				"'Keep Results' cannot look up what was paid for",
				`${adviceOnTable(TABLE_NAME, error, 'remove the option in this node')}\nNothing was sent for this item, since it may have been paid for.`,
			);
		}
	}

	/** What was looked up, unless it is too old or lacks a field. Throws InputProblem where the look-up has failed. */
	find(key: string, { days, onlyWith }: Keeping): { answer: unknown } | undefined {
		if (this.lookUpFailure !== undefined) throw this.lookUpFailure;
		const found = this.found.get(key);
		if (found === undefined || found.paidAt <= Date.now() - days * DAY_MS) return undefined;
		return lacking(found.answer, this.operation, onlyWith).length > 0 ? undefined : found;
	}

	/** Whether what another run was answered would be kept here, too. */
	isOfUse(answer: Answer, { onlyWith }: Keeping): boolean {
		return (
			isKept(answer, this.operation) && lacking(answer.body, this.operation, onlyWith).length === 0
		);
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

	/** Keeps the result of a call, if it is one: written at once, or together with others a moment after the last write. */
	keep(key: string, { days, onlyWith }: Keeping, answer: Answer): void {
		const { body } = answer;
		// The run says of how many answers that is so.
		if (!holdsResult(answer, this.operation)) return;
		const text = JSON.stringify(body);
		if (text.length > MAX_ANSWER_LENGTH) return this.leaveOut(1, TOO_LONG);
		if (!isKept(answer, this.operation)) return this.leaveOut(1, NOT_FINAL);
		const lacks = lacking(body, this.operation, onlyWith);
		if (lacks.length > 0) return this.leaveOut(1, `no value in ${lacks.map(shown).join(', ')}`);
		const expires = new Date(Date.now() + Math.min(days, MAX_DAYS) * DAY_MS).toISOString();
		this.waiting.push({ key, answer: text, expires });
		this.writing ??= this.write();
	}

	private leaveOut(count: number, why: string): void {
		this.unkept.set(why, (this.unkept.get(why) ?? 0) + count);
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

/** What is no result at the top of an answer, and what else where the service writes an envelope. */
const ABOUT_ANSWER = ['error', 'errors'];
const ABOUT_ENVELOPE = [...ABOUT_ANSWER, 'success', 'meta', 'message'];

/** Whether an answer has something in it: in the `data` of an envelope, or else beside what is about the answer itself. */
export function holdsResult({ statusCode = 200, body }: Answer, operation: Finds): boolean {
	if (WITHOUT_RESULT.includes(statusCode)) return false;
	if (!isObject(body) || 'data' in body) return hasValue(resultsOf(operation, body));
	const about = 'success' in body || 'meta' in body ? ABOUT_ENVELOPE : ABOUT_ANSWER;
	return Object.entries(body).some(([name, value]) => !about.includes(name) && hasValue(value));
}

/** Whether a user would call it a result: neither its top nor that of the answer says that it failed. */
function isKept(answer: Answer, operation: Finds): boolean {
	const { statusCode = 200, body } = answer;
	if (!FINAL_STATUSES.includes(statusCode) || !holdsResult(answer, operation)) return false;
	return !hasFailed(body) && !hasFailed(resultOf(body));
}

/** Names below the top say nothing. */
function hasFailed(part: unknown): boolean {
	return isObject(part) && (part.success === false || [part.error, part.errors].some(isTold));
}

/** Errors of nothing, such as `{ "code": 0, "message": "" }`, are none. */
function isTold(error: unknown): boolean {
	if (typeof error !== 'object' || error === null) return Boolean(error);
	return Object.values(error).some(isTold);
}

/** The fields that have no value in one of the results of an answer. */
function lacking(answer: unknown, operation: Finds, fields: readonly string[]): string[] {
	const results = resultsOf(operation, answer).map((one) => (isObject(one) ? one : {}));
	const isMissing = (field: string) => (result: Record<string, unknown>) =>
		!hasValue(keepFields(result, [field]));
	return fields.filter((field) => results.some(isMissing(field)));
}
