import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../n8n/errors.mts';

/**
 * Lets contenders measure one after the other, `runs` times. The order moves on with each run, so that a slow minute of
 * the machine hits all of them. A contender that fails is not asked again.
 *
 * @returns why those that failed did
 */
export async function takeTurns<Name extends string>(
	names: readonly Name[],
	runs: number,
	measure: (name: Name) => Promise<void>,
): Promise<Partial<Record<Name, string>>> {
	const failures: Partial<Record<Name, string>> = {};
	for (let run = 0; run < runs; run++) {
		for (let turn = 0; turn < names.length; turn++) {
			const name = names[(run + turn) % names.length];
			if (failures[name] !== undefined) continue;
			try {
				await measure(name);
			} catch (error) {
				failures[name] = messageOf(error);
				// An n8n that ran out of memory takes a moment to be gone.
				await wait(3_000);
			}
		}
	}
	return failures;
}
