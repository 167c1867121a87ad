/** What is promised of every state that was ever remembered, as Airbyte's acceptance tests have it: for the trigger and for Sync. */
import type { State } from '../../../nodes/changes/state.ts';
import type { ListService } from './service.mts';

/**
 * Reads to the end of the list, undisturbed: from a state (as JSON), or (undefined) all that there is. Gives the names of
 * the versions that came, in their order.
 */
export type ReadOn = (state: string | undefined) => Promise<string[]>;

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
	/** Versions that came after the states that were gone on from. */
	newer: number;
	/** Those of the states with anything after them. */
	olderStates: number;
}

/** Collects the states of a history, and checks them once nothing changes any more. */
export class Acceptance {
	private readonly states = new Map<string, { state: string; past: Past }>();
	private readonly mustCome: (name: string) => boolean;

	/** @param mustCome false for what need not come after any state */
	constructor(mustCome: (name: string) => boolean) {
		this.mustCome = mustCome;
	}

	/** A state was given out; whether it was stored does not matter. */
	remember(state: string, { given, optional, undatedAtStart }: Past): void {
		const past = { given: new Set(given), optional: new Set(optional), undatedAtStart };
		this.states.set(`${past.given.size} ${state}`, { state, past });
	}

	/**
	 * @param readOn reads from the same service
	 * @throws Error with what is wrong
	 */
	async check(service: ListService, readOn: ReadOn): Promise<Accepted> {
		await checkFullReads(service, readOn);
		const accepted: Accepted = { newer: 0, olderStates: 0 };
		for (const { state, past } of this.states.values()) {
			const names = await readOn(state);
			assertOnce(names);
			assertNewer(service, { state, names, past }, this.mustCome);
			accepted.newer += names.length;
			if (names.length > 0) accepted.olderStates++;
		}
		return accepted;
	}
}

/** Two full reads give the same: everything, each version once. */
async function checkFullReads(service: ListService, readOn: ReadOn): Promise<void> {
	const first = await readOn(undefined);
	assertOnce(first);
	assertSame(await readOn(undefined), first, 'Two full reads differ');
	const { visible } = service.versionsNow();
	assertSame(first.toSorted(), visible.toSorted(), 'A full read is not what there is');
}

/** What is newer than a state comes, all of it, and nothing that was given before. */
function assertNewer(
	service: ListService,
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
