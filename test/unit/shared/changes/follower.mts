import { expect } from 'vitest';

import { poll } from '../../../../nodes/shared/changes/poll.ts';
import {
	resumeFrom,
	type Resumed,
	type Followed,
	type Checkpoint,
} from '../../../../nodes/shared/changes/checkpoint.ts';
import { ListService } from './service.mts';
import { plainTraits, type ServiceTraits } from './service-traits.mts';

/** What is remembered before anything was read. */
export function checkpointAt(startFrom: Followed['startFrom'], now = 0): Checkpoint {
	const list = { objectType: 'company', field: 'updated_at', lookbackMs: 30_000 } as const;
	const whose = { owner: 'w', access: 'a', now };
	return checkpointOf(resumeFrom(undefined, { ...list, ...whose, startFrom }));
}

/** @throws Error where the place is refused */
export function checkpointOf(opened: Resumed): Checkpoint {
	if ('refusal' in opened) throw new Error(`The place is refused: ${opened.refusal}`);
	return opened.checkpoint;
}

/** A service and what follows its changes. */
export class Follower {
	readonly service: ListService;
	private memory: Checkpoint | undefined;
	private readonly startFrom: Followed['startFrom'];
	private readonly limits: { maxRecordsPerPoll?: number; maxRemembered?: number };

	constructor(
		traits: Partial<ServiceTraits> = {},
		startFrom: Followed['startFrom'] = 'now',
		limits: Follower['limits'] = {},
	) {
		const all = { ...plainTraits, clockAheadMs: -5_000, ...traits };
		this.service = new ListService(all, 'updated_at');
		this.startFrom = startFrom;
		this.limits = limits;
	}

	/** It starts when it is first asked for. */
	get checkpoint(): Checkpoint {
		return (this.memory ??= checkpointAt(this.startFrom, this.service.localTime()));
	}

	set checkpoint(state: Checkpoint) {
		this.memory = state;
	}

	/** So many records, ten of each date. */
	fill(count: number, seconds = 40): this {
		for (let made = 0; made < count; made += 10) {
			this.service.create(Math.min(10, count - made));
			this.service.tick(seconds);
		}
		return this;
	}

	/** @param pages the most, from the first request on */
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
			mayContinue: () => service.requests - before < pages,
		});
		this.checkpoint = JSON.parse(JSON.stringify(result.checkpoint)) as Checkpoint;
		expect(this.checkpoint).toEqual(result.checkpoint);
		const names = result.records.map(({ version }) => String(version));
		return { ...result, names, requests: service.requests - before };
	}

	/** Polls until nothing comes any more. */
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

	/** Comes to rest, so that nothing is left to be read again. */
	async settle(): Promise<this> {
		for (let polls = 0; polls < 3; polls++) await this.pollAll();
		return this;
	}
}
