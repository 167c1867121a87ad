/** A trigger against the unkind sandbox: every change once, nothing that was there before. */
import type { INodeExecutionData } from 'n8n-workflow';
import { expect } from 'vitest';
import { createPoller, type Poller, type PolledItems } from '../harness/trigger-poller.mts';
import type { TriggerHistory, TriggerRound } from './drawing.mts';
import {
	disturb,
	expectHelpful,
	expectNoSecretIn,
	lastingOf,
	makeKind,
	saidByError,
	type Outcome,
	type World,
} from './outcome.mts';
import { mustTriggerBeRight } from './visible.mts';

type Json = Record<string, unknown>;

const path = '/v2/public/records/query';
/** Polls after which a trigger that still gives something is running in a circle. */
const mostPolls = 100;
/** A poll's time; what is drawn here needs a fraction of it. */
const budgetMs = 20_000;

/** Told apart by a field that has all its digits in every setting. */
const keyFields = { company: 'domain', order: 'number', item: 'sku' } as const;

/** What a trigger has given out, and what it should have. */
class Deliveries {
	/** Key and revision of each delivered version. */
	readonly versions: string[] = [];
	/** Key of each record that must come, with the revision that it has by now. */
	readonly awaited = new Map<string, number>();
	private readonly history: TriggerHistory;

	constructor(history: TriggerHistory) {
		this.history = history;
	}

	keyOf(record: Json): string {
		return String(record[keyFields[this.history.objectType]]);
	}

	/** Record Created has one version of each record, however often it is changed before it comes. */
	revisionOf(record: Json): number {
		return this.history.event === 'recordCreated' ? 1 : (record.revision as number);
	}

	/** This record must come, as it is now. */
	await(record: Json): void {
		this.awaited.set(this.keyOf(record), this.revisionOf(record));
	}

	take(items: readonly INodeExecutionData[] | null): void {
		for (const { json } of items ?? []) {
			const version = `${this.keyOf(json)} ${this.revisionOf(json)}`;
			expect(this.versions, 'a version comes only once').not.toContain(version);
			expect(
				this.awaited.get(this.keyOf(json)) ?? 0,
				`${version} was there before the start`,
			).toBeGreaterThanOrEqual(this.revisionOf(json));
			this.versions.push(version);
		}
	}

	expectComplete(): void {
		for (const [key, revision] of this.awaited) {
			expect(this.versions, 'every change that can be seen comes').toContain(`${key} ${revision}`);
		}
	}
}

/** One trigger in its history. */
class Play {
	private readonly world: World;
	private readonly history: TriggerHistory;
	private readonly deliveries: Deliveries;
	private readonly poller: Poller;
	private failed = false;
	/** What disturbs the polls at the moment. */
	private disturbance: Pick<TriggerHistory, 'unkind' | 'faults'>;

	constructor(world: World, history: TriggerHistory, poller: Poller) {
		this.world = world;
		this.history = history;
		this.poller = poller;
		this.deliveries = new Deliveries(history);
		this.disturbance = history;
	}

	/**
	 * From the activation to the end.
	 *
	 * @param existing what exists already and must come
	 */
	async toTheEnd(existing: Json[]): Promise<Outcome> {
		const { history } = this;
		this.await(existing);
		this.disturb(history);
		if (history.faults.length > 0) await this.poll();
		this.calmDown();
		if (!(await this.drain(2))) return 'error';
		for (const round of history.rounds) {
			if (!(await this.playRound(round))) return 'error';
		}
		this.calmDown();
		if (!(await this.drain(1))) return 'error';
		this.deliveries.expectComplete();
		return this.failed ? 'error' : 'right';
	}

	private async playRound(round: TriggerRound): Promise<boolean> {
		for (const change of round.changes) this.change(change);
		if (round.expires) this.world.sandbox.expireCursors();
		if (round.restarts && this.startIsSaved()) this.poller.restart();
		const unkind = { ...this.history.unkind, ...round.unkind };
		this.disturb({ unkind, faults: round.faults });
		for (let polls = 0; polls < round.polls; polls++) await this.poll();
		this.calmDown();
		if (!round.drains) return true;
		if (!(await this.drain(1))) return false;
		this.deliveries.expectComplete();
		return true;
	}

	/**
	 * In its default mode n8n saves what the activation's poll did and then nothing before the first change is given
	 * out. Where that poll was disturbed, a restart before then moves "now", which nobody can know better.
	 */
	private startIsSaved(): boolean {
		const { cursors, startFrom, faults } = this.history;
		const isGivenOut = this.deliveries.versions.length > 0;
		return cursors === 'durable' || startFrom !== 'now' || faults.length === 0 || isGivenOut;
	}

	private records(): Json[] {
		return [...this.world.sandbox.records(this.history.objectType)];
	}

	/** These records must come, as they are now. */
	private await(records: Json[]): void {
		for (const record of records) this.deliveries.await(record);
	}

	private change({ do: what, place, count }: TriggerRound['changes'][0]): void {
		const { sandbox } = this.world;
		const { objectType, event, unkind } = this.history;
		if (what === 'create') {
			const ids = new Set(sandbox.create(objectType, count));
			this.await(this.records().filter(({ id }) => ids.has(String(id))));
			return;
		}
		const all = this.records();
		const from = Math.floor((place / 100) * all.length);
		const chosen = all.slice(from, from + count);
		const ids = chosen.map(({ id }) => String(id));
		if (what === 'remove') {
			sandbox.remove(objectType, ids);
			for (const record of chosen) this.deliveries.awaited.delete(this.deliveries.keyOf(record));
		} else if (event === 'recordUpdated') {
			sandbox.update(objectType, ids);
			this.await(this.records().filter(({ id }) => ids.includes(String(id))));
		} else if (unkind.undated === undefined) {
			// An update gives an undated record its old created_at: neither new nor what it was.
			sandbox.update(objectType, ids);
		}
	}

	/** What only disturbs for a while ends; what the service is like stays. */
	private calmDown(): void {
		expect(this.world.moved.requests).toEqual([]);
		this.disturb({ unkind: this.history.unkind, faults: [] });
	}

	private disturb(disturbance: Play['disturbance']): void {
		this.disturbance = disturbance;
		disturb(this.world, disturbance.unkind, disturbance.faults, path);
	}

	/** Polls once. Undefined after an error, which must not lose anything. */
	private async poll(): Promise<PolledItems | undefined> {
		try {
			const polled = await this.poller.poll({ budgetMs });
			expectNoSecretIn(polled.logs);
			this.deliveries.take(polled.items);
			return polled;
		} catch (error) {
			if (!isNodeError(error)) throw error;
			expectHelpful(saidByError(error), this.disturbance, this.world);
			expectNoSecretIn(error);
			this.failed = true;
			return undefined;
		}
	}

	/** Polls until nothing has come so many times. False where the service is one that this trigger cannot read. */
	private async drain(quietPolls: number): Promise<boolean> {
		for (let quiet = 0, polls = 0; quiet < quietPolls; polls++) {
			expect(polls, 'a trigger comes to rest').toBeLessThan(mostPolls);
			const polled = await this.poll();
			if (polled === undefined) return false;
			quiet = polled.items === null ? quiet + 1 : 0;
		}
		return true;
	}
}

function isNodeError(error: unknown): error is Error {
	return error instanceof Error && /^Node(Api|Operation)Error$/.test(error.name);
}

/** Where a trigger starts, told while the service is still kind. */
function startOf(
	{ sandbox }: World,
	{ objectType, event, startFrom, startPlace }: TriggerHistory,
): { startDate: string; existing: Json[] } {
	const field = event === 'recordCreated' ? 'created_at' : 'updated_at';
	const records: Json[] = [...sandbox.records(objectType)];
	const startDate = String(
		records[Math.floor((startPlace / 100) * records.length)]?.[field] ?? '2025-01-01',
	);
	const isGiven = (record: Json): boolean =>
		startFrom === 'beginning' || (startFrom === 'date' && String(record[field]) > startDate);
	return { startDate, existing: records.filter(isGiven) };
}

/** Plays a trigger. Throws where a change is lost, comes twice, or something old comes. */
export async function playTrigger(world: World, history: TriggerHistory): Promise<Outcome> {
	const { objectType, event, startFrom, cursors, pageSize, ignoreTotal, maxRecordsPerPoll } =
		history;
	const { startDate, existing } = startOf(world, history);
	world.sandbox.setUnkind(lastingOf(history.unkind));
	const options = { maxRecordsPerPoll, ignoreTotal, ...(pageSize && { pageSize }) };
	const parameters = { objectType, event, startFrom, startDate, options };
	const { credential } = world;
	const poller = await createPoller({ parameters, credential, cursors });
	const outcome = await new Play(world, history, poller).toTheEnd(existing);
	makeKind(world, history.unkind);
	if (mustTriggerBeRight(history)) expect(outcome).toBe('right');
	return outcome;
}
