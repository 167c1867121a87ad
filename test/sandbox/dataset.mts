import { clockStart } from './record-times.mts';
import { forEachType, objectTypeNames, objectTypes, type ObjectType } from './object-types.mts';
import { poolsFor, type Pools } from './pools.mts';
import { recordComposers } from './record-text.mts';
import { Table } from './table.mts';
import type { SandboxOptions } from './types.mts';

/** All records of a workspace, and the clock that dates their changes. */
export interface Dataset {
	seed: number;
	pools: Pools;
	tables: Record<ObjectType, Table>;
	/** Moves the clock of the sandbox forward by one second. Returns the new time in ms since 1970. */
	nextTime(): number;
	/**
	 * Returns the time (ms since 1970) that is this many ms before the clock. Throws if that is before the clock's
	 * start.
	 */
	timeBefore(ms: number): number;
}

/** Checks whether a value is the name of an object type of the sandbox. */
export function isObjectType(value: unknown): value is ObjectType {
	return objectTypeNames.includes(value as ObjectType);
}

function checkedCount(name: string, count: number): number {
	// Ids have nine digits, and the order of records is computed exactly up to this count.
	if (Number.isInteger(count) && count >= 0 && count <= 50_000_000) return count;
	throw new Error(`${name} must be a whole number from 0 to 50,000,000, not ${count}.`);
}

/** First number of the ids in the other workspace. The two workspaces share no id. */
const otherFirstNumber = 500_000_000;

/** Generates the records. The same options give the same records. Throws if a count is not a valid whole number. */
export function createDataset(options: SandboxOptions): Dataset {
	return build(options, 1, 0);
}

/** Generates the records of the other workspace: the same number of records, with other ids and content. */
export function createOtherDataset(options: SandboxOptions): Dataset {
	return build(options, 2, otherFirstNumber);
}

function build(options: SandboxOptions, seed: number, firstNumber: number): Dataset {
	const counts = forEachType((type) => {
		const { plural, count } = objectTypes[type];
		return checkedCount(plural, options[plural] ?? count);
	});
	const pools = poolsFor(seed);
	const composerOf = recordComposers(pools, seed, counts, firstNumber);
	let now = clockStart;
	return {
		seed,
		pools,
		tables: forEachType(
			(type) => new Table(type, counts[type], seed, composerOf(type), firstNumber),
		),
		nextTime: () => (now += 1000),
		timeBefore: (ms) => {
			if (now - ms >= clockStart) return now - ms;
			throw new Error(`The sandbox's clock has not gone on by ${ms} ms yet.`);
		},
	};
}
