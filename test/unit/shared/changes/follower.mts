import { expect } from 'vitest';

import { poll } from '../../../../nodes/shared/changes/poll.ts';
import {
	resumeFrom,
	type Resumed,
	type FollowedList,
	type Checkpoint,
} from '../../../../nodes/shared/changes/checkpoint.ts';
import { ListService } from './service.mts';
import { plainTraits, type ServiceTraits } from './service-traits.mts';

/** Returns the checkpoint before the first poll. `now` is n8n's time in ms since 1970. */
export function checkpointAt(startFrom: FollowedList['startFrom'], now = 0): Checkpoint {
	const list = { objectType: 'company', field: 'updated_at', lookbackMs: 30_000 } as const;
	const whose = { owner: 'w', access: 'a', now };
	return checkpointOf(resumeFrom(undefined, { ...list, ...whose, startFrom }));
}

/**
 * Returns the checkpoint to resume from.
 *
 * @throws Error if the stored checkpoint is rejected
 */
export function checkpointOf(opened: Resumed): Checkpoint {
	if ('refusal' in opened) throw new Error(`The place is refused: ${opened.refusal}`);
	return opened.checkpoint;
}

/** A simulated service, and a trigger that polls its list. */
export class Follower {
	readonly service: ListService;
	private memory: Checkpoint | undefined;
	private readonly startFrom: FollowedList['startFrom'];
	private readonly limits: { maxRecordsPerPoll?: number; maxRemembered?: number };

	constructor(
		traits: Partial<ServiceTraits> = {},
		startFrom: FollowedList['startFrom'] = 'now',
		limits: Follower['limits'] = {},
	) {
		const all = { ...plainTraits, clockAheadMs: -5_000, ...traits };
		this.service = new ListService(all, 'updated_at');
		this.startFrom = startFrom;
		this.limits = limits;
	}

	/** Checkpoint after the last poll. The first access creates the initial checkpoint. */
	get checkpoint(): Checkpoint {
		return (this.memory ??= checkpointAt(this.startFrom, this.service.localTime()));
	}

	set checkpoint(state: Checkpoint) {
		this.memory = state;
	}

	/** Creates `count` records, ten for each date. The dates are `seconds` apart. */
	fill(count: number, seconds = 40): this {
		for (let made = 0; made < count; made += 10) {
			this.service.create(Math.min(10, count - made));
			this.service.tick(seconds);
		}
		return this;
	}

	/**
	 * Polls once.
	 *
	 * @param pages maximum number of requests of the poll
	 */
	async poll(pages = Infinity) {
		const { service } = this;
		const { maxRecordsPerPoll = 1_000, maxRemembered } = this.limits;
		const before = service.requests;
		service.poll++;
		const result = await poll(this.checkpoint, service.reader(), {
			lookbackMs: 30_000,
			now: service.localTime,
			maxRemembered,
			maxRecords: maxRecordsPerPoll,
			hasTimeLeft: () => service.requests - before < pages,
		});
		this.checkpoint = JSON.parse(JSON.stringify(result.checkpoint)) as Checkpoint;
		expect(this.checkpoint).toEqual(result.checkpoint);
		const names = result.records.map(({ version }) => String(version));
		return { ...result, names, requests: service.requests - before };
	}

	/** Polls until a poll reaches the end of the list and returns nothing. */
	async pollAll(): Promise<{ names: string[]; requests: number; polls: number }> {
		const all = { names: [] as string[], requests: 0, polls: 0 };
		for (;;) {
			const { names, requests, reachedEnd } = await this.poll();
			all.names.push(...names);
			all.requests += requests;
			all.polls++;
			if (names.length === 0 && reachedEnd) return all;
		}
	}

	/** Polls to the end of the list several times, so that the next poll begins near the end of the list. */
	async settle(): Promise<this> {
		for (let polls = 0; polls < 3; polls++) await this.pollAll();
		return this;
	}
}
