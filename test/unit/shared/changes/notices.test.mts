import { describe, expect, it } from 'vitest';

import { ServiceFailure } from '../../../../nodes/shared/client/failures.ts';
import type { FollowedList, ResumeReason } from '../../../../nodes/shared/changes/checkpoint.ts';
import { stoppedEarly, noticeOfStart } from '../../../../nodes/shared/changes/notices.ts';

const date = Date.parse('2026-11-23T09:00:00Z');
const shown = '23 Nov 2026, 09:00 UTC';

describe('the notice that a failed request has stopped a poll', () => {
	it('names the error code of a failed request if the failure has no HTTP status', () => {
		const failure = new ServiceFailure('connectionLost', { code: 'ECONNRESET' });
		const message = expect.stringContaining('failed (ECONNRESET)');
		expect(stoppedEarly(failure)).toEqual({ level: 'warn', message });
	});
});

describe('the notice about where a poll begins', () => {
	const over = 'Starting over';
	const none = 'no progress is saved yet.';
	const list = "because 'Object Type' or the event has changed";
	const lost = 'Changes since the last poll or run are not returned.';
	const text = "because 'Start Over' has a new text.";
	const continued = `Continued from ${shown} ("deal")`;
	const filter =
		"because 'Filters' have changed. To follow both, add a second trigger. For all records,";
	const startAnew = "set 'Start From' to Beginning";
	const all = "change 'Start Over'.";

	it.each(
		Object.entries<[ResumeReason, FollowedList['startFrom'], from?: number]>({
			[`Starting with changes from now on ("deal"): ${none}`]: ['none', 'now'],
			[`Starting from the beginning ("deal"): ${none}`]: ['none', 'beginning'],
			[`Starting with records changed after ${shown} ("deal"): ${none}`]: ['none', 'date'],
			[`${over} with changes from now on ("deal"), ${list}. ${lost}`]: ['otherList', 'now'],
			[`${over} from the beginning ("deal"), ${text}`]: ['startOver', 'beginning'],
			[`${continued}, ${filter} ${all}`]: ['otherFilter', 'beginning', date],
			[`${continued}, ${filter} ${startAnew} and ${all}`]: ['otherFilter', 'now', date],
		}),
	)('reports where a poll begins, and why: %s', (message, [reason, startFrom, from]) => {
		const level = reason === 'none' && startFrom !== 'beginning' ? 'info' : 'warn';
		const note = noticeOfStart(
			reason,
			from,
			{ objectType: 'deal', startFrom, startDate: date },
			'add a second trigger',
		);
		expect(note).toEqual({ level, message });
	});
});
