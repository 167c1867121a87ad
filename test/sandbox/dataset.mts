import { clockStart } from './record-times.mts';
import { forEachType, objectTypeNames, objectTypes, type ObjectType } from './object-types.mts';
import { poolsFor, type Pools } from './pools.mts';
import { recordComposers } from './record-text.mts';
import { Table } from './table.mts';
import type { SandboxOptions } from './types.mts';

/** All records of a sandbox, and the clock that changes to them are dated by. */
export interface Dataset {
	seed: number;
	pools: Pools;
	tables: Record<ObjectType, Table>;
	/** Moves the sandbox's own clock on by a second and reads it, in milliseconds since 1970. */
	nextTime(): number;
	/** A time so many milliseconds before the clock's. Throws where it is before every change. */
	timeBefore(ms: number): number;
}

/** True where a text names an object type that the sandbox holds. */
export function isObjectType(value: unknown): value is ObjectType {
	return objectTypeNames.includes(value as ObjectType);
}

function checkedCount(name: string, count: number): number {
	// Ids have nine digits; the arithmetic of the order stays exact up to this many.
	if (Number.isInteger(count) && count >= 0 && count <= 50_000_000) return count;
	throw new Error(`${name} must be a whole number from 0 to 50,000,000, not ${count}.`);
}

/** Ids of the other workspace start here: no id stands in both. */
const otherFirstNumber = 500_000_000;

/** Builds the records. The same options give the same records. Throws on a count that is no whole number. */
export function createDataset(options: SandboxOptions): Dataset {
	return build(options, 1, 0);
}

/** The records of the other workspace: as many, with other ids and other content. */
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
