import { clockStart } from './record-times.mts';
import { forEachType, objectTypeNames, objectTypes, type ObjectType } from './object-types.mts';
import { poolsFor, type Pools } from './pools.mts';
import { recordComposers } from './record-text.mts';
import { Table } from './table.mts';
import type { SandboxOptions } from './types.mts';

/** Records of one workspace of the sandbox, and the simulated clock that dates their changes. */
export interface Dataset {
	seed: number;
	pools: Pools;
	tables: Record<ObjectType, Table>;
	/** Moves the clock of the sandbox forward by one second. Returns the new time in ms since 1970. */
	nextTime(): number;
	/**
	 * Returns the time of the sandbox's clock minus `ms`, in ms since 1970. Throws if the clock had not started yet at
	 * that time.
	 */
	timeBefore(ms: number): number;
}

/** Checks whether a value is the name of an object type of the sandbox. */
export function isObjectType(value: unknown): value is ObjectType {
	return objectTypeNames.includes(value as ObjectType);
}

function checkedCount(name: string, count: number): number {
	// Up to this number of records, ids have at most nine digits, and the sort order is computed without rounding
	// errors.
	if (Number.isInteger(count) && count >= 0 && count <= 50_000_000) return count;
	throw new Error(`${name} must be a whole number from 0 to 50,000,000, not ${count}.`);
}

/** Number of the first record in the second workspace. It is so large that no id occurs in both workspaces. */
const otherFirstNumber = 500_000_000;

/**
 * Generates the records of the first workspace. Equal options give equal records. Throws if a number of records is
 * invalid.
 */
export function createDataset(options: SandboxOptions): Dataset {
	return build(options, 1, 0);
}

/**
 * Generates the records of the second workspace. It has as many records as the first workspace, with different ids and
 * content.
 */
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
