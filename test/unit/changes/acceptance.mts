/** What is promised of every state that was ever remembered, as Airbyte's acceptance tests have it: for the trigger and for Sync. */
import type { State } from '../../../nodes/changes/state.ts';
import type { ModelService } from './service.mts';

/** What reading to the end of the list has given. */
export interface Reading {
	/** Names of versions, in their order. */
	names: string[];
	/** The state after it, as JSON. */
	state: string;
}

/** Reads to the end of the list, undisturbed: from a state (as JSON), or (undefined) all that there is. */
export type ReadOn = (state: string | undefined) => Promise<Reading>;

/** What is known of a state's past. */
export interface Past {
	/** Versions that were given before it, or existed before the start. */
	given: Iterable<string>;
	/** Versions that need not come after it. */
	optional: Iterable<string>;
	/** Records without a date at the start; later ones are not promised. */
	undatedAtStart: ReadonlySet<string>;
}

/** What the checks came to. */
export interface Accepted {
	/** States that were gone on from. */
	states: number;
	/** Versions that came after them. */
	newer: number;
	/** Those of them with anything after them. */
	olderStates: number;
}

const AHEAD_SECONDS = 1_000_000;

/** Collects the states of a history, and checks them once nothing changes any more. */
export class Acceptance {
	private readonly states = new Map<string, { state: string; past: Past }>();
	private readonly mustCome: (name: string) => boolean;

	/** @param mustCome false for what need not come after any state */
	constructor(mustCome: (name: string) => boolean = () => true) {
		this.mustCome = mustCome;
	}

	/** A state was given out; whether it was stored does not matter. */
	remember(state: string, { given, optional, undatedAtStart }: Past): void {
		const past = { given: new Set(given), optional: new Set(optional), undatedAtStart };
		this.states.set(`${past.given.size} ${state}`, { state, past });
	}

	/**
	 * @param readOn reads from the same service
	 * @param last the state that is stored
	 * @throws Error with what is wrong
	 */
	async check(service: ModelService, readOn: ReadOn, last: string): Promise<Accepted> {
		await checkFullReads(service, readOn);
		const accepted: Accepted = { states: 0, newer: 0, olderStates: 0 };
		for (const { state, past } of this.states.values()) {
			const { names } = await readOn(state);
			assertOnce(names);
			assertNewer(service, { state, names, past }, this.mustCome);
			accepted.states++;
			accepted.newer += names.length;
			if (names.length > 0) accepted.olderStates++;
		}
		await checkFuture(service, readOn, last);
		return accepted;
	}
}

/** Two full reads give the same: everything, each version once. */
async function checkFullReads(service: ModelService, readOn: ReadOn): Promise<void> {
	const first = await readOn(undefined);
	const second = await readOn(undefined);
	assertOnce(first.names);
	assertSame(second.names, first.names, 'Two full reads differ');
	const { visible } = service.versionsNow();
	assertSame(first.names.toSorted(), visible.toSorted(), 'A full read is not what there is');
}

/** What is newer than a state comes, all of it, and nothing that was given before. */
function assertNewer(
	service: ModelService,
	{ state, names, past }: { state: string; names: string[]; past: Past },
	mustCome: (name: string) => boolean,
): void {
	const given = new Set(past.given);
	const repeated = names.filter((name) => given.has(name) && isDated(name));
	if (repeated.length > 0) throw new Error(`Came again from ${state}: ${repeated.join(', ')}`);
	// Until the list was read once, all up to its end is passed over.
	if ((JSON.parse(state) as State).starting) return;
	const came = new Set(names);
	const optional = new Set(past.optional);
	const isPromised = (name: string): boolean => isDated(name) || past.undatedAtStart.has(name);
	const missing = service
		.versionsNow()
		.visible.filter((name) => isPromised(name) && mustCome(name) && !optional.has(name))
		.filter((name) => !given.has(name) && !came.has(name));
	if (missing.length > 0) throw new Error(`Never came from ${state}: ${missing.join(', ')}`);
}

/**
 * A state that lies after everything gives nothing, and nothing is lost with it: what is dated later comes, also where
 * the service refuses its cursor. The state that is stored gives all of that, too.
 */
async function checkFuture(service: ModelService, readOn: ReadOn, last: string): Promise<void> {
	const atStart = new Set(service.versionsNow().visible);
	const quiet = await readOn(stateAhead(service, last));
	assertSame(quiet.names.filter(isDated), [], 'A state from the future gives something');
	service.tick(AHEAD_SECONDS);
	await assertChangesCome(service, readOn, quiet.state);

	const refused = stateAhead(service, last);
	service.cursors.refuseAll();
	const found = await readOn(refused);
	assertSame(found.names.filter(isDated), [], 'A state from the future, refused, gives something');
	service.tick(AHEAD_SECONDS);
	await assertChangesCome(service, readOn, found.state);

	const { names } = await readOn(last);
	assertSame(names.filter(isDated).toSorted(), datedSince(service, atStart), 'Lost meanwhile');
}

async function assertChangesCome(
	service: ModelService,
	readOn: ReadOn,
	state: string,
): Promise<void> {
	const before = new Set(service.versionsNow().visible);
	service.tick(1);
	service.create(4);
	service.update(0, 2);
	const { names } = await readOn(state);
	assertSame(names.filter(isDated).toSorted(), datedSince(service, before), `Lost from ${state}`);
}

/** A state like this one, but later than everything that exists. */
function stateAhead(service: ModelService, state: string): string {
	const { time, cursor } = service.placeAhead(AHEAD_SECONDS);
	const nothing = { seen: '', behind: '', starting: false, futile: 0 };
	const place = {
		shortcuts: [{ cursor, limit: 1, proven: 0, first: '' }],
		newest: time,
		newestAt: service.localTime() + AHEAD_SECONDS * 1_000,
		floor: time,
	};
	return JSON.stringify({ ...(JSON.parse(state) as State), ...nothing, ...place });
}

function datedSince(service: ModelService, before: ReadonlySet<string>): string[] {
	const { visible } = service.versionsNow();
	return visible.filter((name) => isDated(name) && !before.has(name)).toSorted();
}

function isDated(name: string): boolean {
	return !name.endsWith('@none');
}

function assertOnce(names: readonly string[]): void {
	if (new Set(names).size < names.length) throw new Error(`Came twice: ${names.join(', ')}`);
}

function assertSame(actual: string[], expected: string[], problem: string): void {
	if (actual.join() === expected.join()) return;
	throw new Error(`${problem}: ${actual.join(', ')} instead of ${expected.join(', ')}`);
}
