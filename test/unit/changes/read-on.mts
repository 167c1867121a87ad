import { poll, type ChangesSettings } from '../../../nodes/changes/poll.ts';
import { openState, type Start } from '../../../nodes/changes/state.ts';
import type { ReadOn } from './acceptance.mts';
import type { ModelService } from './service.mts';

/** Other pages than before: a person may change their size. */
const PAGE_SIZE = 11;
const MOST_AT_ONCE = 1_000;

/** Polls until nothing comes any more. */
export function readOnWith(
	service: ModelService,
	start: Start,
	settings: Pick<ChangesSettings, 'mostRemembered' | 'overlapMs'>,
): ReadOn {
	const reader = service.reader(null, Math.min(PAGE_SIZE, service.traits.largestLimit));
	const now = service.localTime;
	const all = { ...settings, now, room: () => MOST_AT_ONCE, mayContinue: () => true };
	return async (stored) => {
		const names: string[] = [];
		const from = stored === undefined ? undefined : (JSON.parse(stored) as unknown);
		const opened = openState(from, { ...start, startFrom: 'beginning' });
		if (opened.reason !== undefined && opened.reason !== 'none')
			throw new Error(`The trigger does not accept ${stored}`);
		for (let { state } = opened; ; ) {
			const result = await poll(state, reader, all);
			names.push(...result.records.map(({ version }) => String(version)));
			({ state } = result);
			// The poll after one that brought something newer looks again at what may have come late.
			if (result.reachedEnd && result.records.length === 0) return names;
		}
	};
}
