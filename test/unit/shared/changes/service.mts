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

/** A late change of a record: a change that already has its date, but that the list does not show yet. */
interface LateCommit {
	index: number;
	at: number;
	/** Whether the change creates the record. */
	isNew: boolean;
}

/** Maximum lifetime of cursors of the kind "seconds", in ms. */
const CURSOR_LIFE_MS = 5_000;

/**
 * A simulated service with one list. It runs the code of the sandbox without HTTP, and has its own clock. The name of a
 * version (a record with its date) consists of the record's key and the date by which the list is sorted.
 */
export class ListService {
	private readonly table: Table;
	readonly quirks: Quirks;
	private hidden: number[] = [];
	private late: LateCommit[] = [];
	private clock = 1_700_000_000_000;
	private refusals = 0;
	/** Number of the current poll. */
	poll = 0;
	/** Number of the credential's current API key. */
	key = 0;
	/** Whether each of the next requests fails, in order. Each request removes the first element. */
	faults: boolean[] = [];
	/** Called after each page, to change records during a poll. */
	afterPage: () => void = () => undefined;
	requests = 0;
	/** Names of the versions that were returned last. */
	given: readonly string[] = [];
	/** Names of all versions that got a date ahead of this service's clock. */
	readonly ahead = new Set<string>();
	readonly traits: ServiceTraits;
	readonly field: CursorSort;

	constructor(traits: ServiceTraits, field: CursorSort) {
		// Copy the traits, because a change of the date format modifies them, and a test may play the same history
		// again.
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

	/** Returns the time by the clock of n8n, in ms since 1970. */
	readonly localTime = (): number => this.clock + this.traits.clockAheadMs;

	/**
	 * Moves the clock forward. Shows all late changes if one of them would otherwise appear after the lookback window.
	 */
	tick(seconds: number): void {
		this.clock += seconds * 1_000;
		if (this.late.some(({ at }) => at < this.clock - this.traits.lookbackMs)) this.commitLate();
	}

	/** Creates records dated `aheadMs` ahead of the clock, and returns their indexes. */
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

	/** Changes the records that were returned last, or removes them from the list. */
	changeGiven(isGone: boolean): void {
		const keys = new Set(this.given.map((name) => name.split('@')[0]));
		const given = this.indexes().filter((index) => keys.has(keyOf(index)));
		if (isGone) this.table.remove(idsOf(given));
		else this.change(given);
	}

	/**
	 * Hides the records that were created last, as a lagging replica does. Shows the records that were hidden before.
	 */
	hideLast(howMany: number): void {
		this.table.restore(idsOf(this.hidden));
		this.hidden = howMany === 0 ? [] : this.indexes().slice(-howMany);
		this.table.remove(idsOf(this.hidden));
	}

	/**
	 * Begins a late change, which is dated now, but hidden until `commitLate` or until the lookback window ends. With
	 * an even `place`, the change updates an existing record if the list is sorted by `updated_at`. Otherwise, it
	 * creates a record.
	 */
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
			// Skip the change if its record was deleted, or was changed again with a later date.
			const isOld = this.table.isUndated(index) || this.timeOf(index) < at;
			if (isOld && this.indexes().includes(index)) this.change([index], at);
		}
	}

	/** Makes all cursors returned so far invalid. */
	refuseCursors(): void {
		this.refusals++;
	}

	/**
	 * Returns the names of the visible versions, of the versions without a date, and of the late changes that are still
	 * hidden.
	 */
	versionsNow(): { visible: string[]; undated: string[]; late: string[] } {
		const indexes = this.indexes();
		const undated = indexes.filter((index) => this.table.isUndated(index));
		return {
			visible: indexes.map((index) => this.nameOf(index)),
			undated: undated.map((index) => this.nameOf(index)),
			late: this.late.map(({ index, at }) => `${keyOf(index)}@${at}`),
		};
	}

	/** Returns a client that sends its requests to this service. */
	client(): Client {
		return async ({ body }) => {
			const text = this.answer(body as Record<string, unknown>);
			this.afterPage();
			return { body: JSON.parse(text) as unknown, text };
		};
	}

	/** Returns the reader for a poll. If the traits have several page sizes, each poll uses the next one. */
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

	/** Returns a number that increases whenever the cursors of this service expire. */
	private generation(): number {
		const { cursors } = this.traits;
		const seconds = cursors === 'seconds' ? Math.floor(this.clock / CURSOR_LIFE_MS) : 0;
		const key = cursors === 'credential' ? this.key : seconds;
		return this.refusals * 1e9 + (cursors === 'poll' ? this.poll : key);
	}

	private change(indexes: number[], at = this.now()): void {
		this.table.update(idsOf(indexes), at);
	}

	/** Returns the indexes of the visible records in the order of creation. */
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

/**
 * Returns the key of a record. Keys are not in the order of creation, so records with the same date are not sorted in
 * that order either.
 */
const keyOf = (index: number): string => `r${String(shuffled(index)).padStart(5, '0')}`;
