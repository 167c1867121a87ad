import { poll } from '../../../nodes/changes/poll.ts';
import type { PollSettings } from '../../../nodes/changes/poll-types.ts';
import { readState, type State } from '../../../nodes/changes/state.ts';
import type { ReadOn } from './acceptance.mts';
import type { ModelService } from './service.mts';

/** Other pages than before: a person may change their size. */
const PAGE_SIZE = 11;
const MOST_AT_ONCE = 1_000;

/** Polls until nothing comes any more. */
export function readOnWith(service: ModelService, settings: PollSettings): ReadOn {
	const pageSize = Math.min(PAGE_SIZE, service.traits.largestLimit);
	const reader = service.reader(null, pageSize);
	const fromAll = { ...settings, startFrom: 'beginning' as const, maxRecordsPerPoll: MOST_AT_ONCE };
	return async (start) => {
		const names: string[] = [];
		let state = start === undefined ? undefined : accepted(start, settings);
		for (;;) {
			const result = await poll(state, reader, fromAll);
			names.push(...result.records.map(({ version }) => String(version)));
			state = result.state;
			// The poll after one that brought something newer looks again at what may have come late.
			if (result.reachedEnd && result.records.length === 0)
				return { names, state: JSON.stringify(state) };
		}
	};
}

function accepted(text: string, { fingerprint, owner }: PollSettings): State {
	const stored = readState(JSON.parse(text), fingerprint, owner);
	if (stored.state === undefined) throw new Error(`The trigger does not accept ${text}`);
	return stored.state;
}
