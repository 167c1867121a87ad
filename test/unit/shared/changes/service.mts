import { createReader, type ChangesReader } from '../../../../nodes/shared/changes/reader.ts';
import { RECORDS_QUERY, type Client } from '../../../../nodes/shared/client/api.ts';
import { ServiceFailure } from '../../../../nodes/shared/client/failures.ts';
import type { CursorSort } from '../../../../nodes/shared/lists/page.ts';
import { ApiError } from '../../../sandbox/api-error.mts';
import { readListBody } from '../../../sandbox/list-plan.mts';
import { idOf, numberOf, type ComposeRecord } from '../../../sandbox/record-text.mts';
import { listResponse } from '../../../sandbox/routes-lists.mts';
import { shuffled, Table } from '../../../sandbox/table.mts';
import type { Quirks } from '../../../sandbox/types.mts';
import { recordText } from './record-text.mts';
import type { ServiceTraits } from './service-traits.mts';

/** A change whose date is set and that nobody sees yet. */
interface LateCommit {
	index: number;
	at: number;
	/** Whether the record exists only with this change. */
	isNew: boolean;
}

/** For so long a cursor is good that lives for some seconds, in ms. */
const CURSOR_LIFE_MS = 5_000;

/**
 * A list of the sandbox, without HTTP and with its own clock. A version is named by the record's key and the value of its
 * order field: `versionsNow` lists those that can be read.
 */
export class ListService {
	private readonly table: Table;
	readonly quirks: Quirks;
	private hidden: number[] = [];
	private late: LateCommit[] = [];
	private clock = 1_700_000_000_000;
	private refusals = 0;
	/** Changes with every poll. */
	poll = 0;
	/** Changes with the credential's key. */
	key = 0;
	/** Requests that fail: a queue of yes and no, one taken per request. */
	faults: boolean[] = [];
	/** Called after each page, to change records while a poll is under way. */
	afterPage: () => void = () => undefined;
	requests = 0;
	/** The versions that were given last. */
	given: readonly string[] = [];
	/** Names of versions that were dated ahead of the clock. */
	readonly ahead = new Set<string>();
	readonly traits: ServiceTraits;
	readonly field: CursorSort;

	constructor(traits: ServiceTraits, field: CursorSort) {
		// A history may be played again.
		this.traits = { ...traits };
		this.field = field;
		const { cursors } = traits;
		this.quirks = {
			...traits,
			cursorsArePositions: cursors === 'position',
			cursorsCountPages: cursors === 'pages',
			cursorsBoundToLimit: cursors === 'limit',
			cursorsFreeze: cursors === 'frozen',
			shuffledTies: true,
		};
		const compose: ComposeRecord = ({ index, createdAt: created, updatedAt: updated }) => {
			const row = { key: keyOf(index), created, updated, isUndated: this.table.isUndated(index) };
			return recordText(row, this.nameOf(index), this.traits);
		};
		this.table = new Table('company', 0, 1, compose, 0);
		this.table.setQuirks(this.quirks);
	}

	/** What the clock of n8n shows, which is another one. */
	readonly localTime = (): number => this.clock + this.traits.clockAheadMs;

	/** Whatever would become later than the promise covers is seen. */
	tick(seconds: number): void {
		this.clock += seconds * 1_000;
		if (this.late.some(({ at }) => at < this.clock - this.traits.lookbackMs)) this.commitLate();
	}

	/** `aheadMs`: they are dated so much later than it is. */
	create(howMany: number, aheadMs = 0): number[] {
		const ids = this.table.create(howMany, this.now() + aheadMs);
		return this.noteAhead(ids.map((id) => numberOf('company', id) ?? -1));
	}

	update(place: number, howMany: number, aheadMs = 0): void {
		const indexes = this.some(place, howMany);
		this.change(indexes, this.now() + aheadMs);
		this.noteAhead(indexes);
	}

	remove(place: number, howMany: number): void {
		this.table.remove(idsOf(this.some(place, howMany)));
	}

	/** What was given last is changed, or leaves the list. */
	changeGiven(isGone: boolean): void {
		const keys = new Set(this.given.map((name) => name.split('@')[0]));
		const given = this.indexes().filter((index) => keys.has(keyOf(index)));
		if (isGone) this.table.remove(idsOf(given));
		else this.change(given);
	}

	/** One copy of the service's data lags behind: it lacks the last records that were made. */
	hideLast(howMany: number): void {
		this.table.restore(idsOf(this.hidden));
		this.hidden = howMany === 0 ? [] : this.indexes().slice(-howMany);
		this.table.remove(idsOf(this.hidden));
	}

	/** A change gets its date now and is seen only after `commitLate`, but never later than the lookback window allows. */
	beginLate(place: number): void {
		const isUpdate = this.field === 'updated_at' && place % 2 === 0;
		const existing = isUpdate ? this.some(place, 1).at(0) : undefined;
		const isNew = existing === undefined;
		const [index] = isNew ? this.create(1) : [existing];
		if (this.late.some((other) => other.index === index)) return;
		if (isNew) this.table.remove(idsOf([index]));
		this.late.push({ index, at: this.now(), isNew });
	}

	commitLate(): void {
		for (const { index, at, isNew } of this.late.splice(0)) {
			if (isNew) this.table.restore(idsOf([index]));
			// A later change of the same record may have overtaken this one, or it was deleted.
			const isOld = this.table.isUndated(index) || this.timeOf(index) < at;
			if (isOld && this.indexes().includes(index)) this.change([index], at);
		}
	}

	/** All cursors that were given out so far are refused from now on. */
	refuseCursors(): void {
		this.refusals++;
	}

	/** Names of the versions that can be read now, of those without a date, and of those that may turn up with an older date. */
	versionsNow(): { visible: string[]; undated: string[]; late: string[] } {
		const indexes = this.indexes();
		const undated = indexes.filter((index) => this.table.isUndated(index));
		return {
			visible: indexes.map((index) => this.nameOf(index)),
			undated: undated.map((index) => this.nameOf(index)),
			late: this.late.map(({ index, at }) => `${keyOf(index)}@${at}`),
		};
	}

	/** The client that reaches it. */
	client(): Client {
		return async ({ body }) => {
			const text = this.answer(body as Record<string, unknown>);
			this.afterPage();
			return { body: JSON.parse(text) as unknown, text };
		};
	}

	/** The reader that a poll gets: of several page sizes, each has another one than the poll before. */
	reader(pageSize = this.pageSizeOfPoll()): ChangesReader {
		return createReader(this.client(), {
			endpoint: RECORDS_QUERY.endpoints.v2,
			objectType: 'company',
			field: this.field,
			pageSize,
			ignoreTotal: typeof this.traits.total === 'object',
			limits: () => ({ maxRetries: 0, maxWaitMs: 0, timeoutMs: 1_000 }),
		});
	}

	private pageSizeOfPoll(): number | undefined {
		const sizes = [this.traits.pageSize].flat();
		return sizes[this.poll % sizes.length];
	}

	private answer(body: Record<string, unknown>): string {
		this.requests++;
		if (this.faults.shift()) throw new ServiceFailure('status', { statusCode: 503 });
		const { quirks } = this;
		const call = { quirks, contextId: `answer-${this.requests}`, generation: this.generation() };
		try {
			return listResponse(this.table, readListBody(body), call);
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			const { refusal } = this.traits;
			const statusCode = error.code === 'limit_too_large' ? error.status : refusal;
			if (statusCode === 'unsuccessful') throw new ServiceFailure('unsuccessful');
			throw new ServiceFailure('status', { statusCode });
		}
	}

	/** Grows where cursors die. */
	private generation(): number {
		const { cursors } = this.traits;
		const seconds = cursors === 'seconds' ? Math.floor(this.clock / CURSOR_LIFE_MS) : 0;
		const key = cursors === 'credential' ? this.key : seconds;
		return this.refusals * 1e9 + (cursors === 'poll' ? this.poll : key);
	}

	private change(indexes: number[], at = this.now()): void {
		this.table.update(idsOf(indexes), at);
	}

	/** Of what can be read, in the order of creation. */
	private indexes(): number[] {
		return this.table.slice('id', 0, this.table.count);
	}

	private noteAhead(indexes: number[]): number[] {
		for (const index of indexes)
			if (this.timeOf(index) > this.now()) this.ahead.add(this.nameOf(index));
		return indexes;
	}

	private timeOf(index: number): number {
		return this.table.positionOf(this.field, index).time;
	}

	private nameOf(index: number): string {
		return `${keyOf(index)}@${this.table.isUndated(index) ? 'none' : this.timeOf(index)}`;
	}

	private now(): number {
		return this.clock - (this.clock % this.traits.resolutionMs);
	}

	private some(place: number, howMany: number): number[] {
		const indexes = this.indexes();
		const count = Math.min(howMany, indexes.length);
		return Array.from({ length: count }, (_, step) => indexes[(place + step) % indexes.length]);
	}
}

const idsOf = (indexes: number[]): string[] => indexes.map((index) => idOf('company', index));

/** Keys follow the order within one date, and not that of creation. */
const keyOf = (index: number): string => `r${String(shuffled(index)).padStart(5, '0')}`;
