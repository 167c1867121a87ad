import { describe, expect, it } from 'vitest';

import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { tellHowFar, tellNote, tellStart } from '../../../nodes/changes/texts.ts';

const date = Date.parse('2026-11-23T09:00:00Z');

describe('what is told of a reading', () => {
	it('names a failure by its code where it has no status', () => {
		const failure = new ServiceFailure('connectionLost', { code: 'ECONNRESET' });
		const message = expect.stringContaining('was not answered (ECONNRESET)');
		expect(tellNote({ kind: 'stoppedEarly', failure })).toEqual({ level: 'warn', message });
	});

	it('says how far it has come, also by dates that no calendar has', () => {
		expect(tellHowFar(date).message).toContain('up to 23 Nov 2026, 09:00 UTC');
		const message = 'The list has been read in part; the rest follows.';
		expect(tellHowFar(null)).toEqual({ level: 'info', message });
		expect(tellHowFar(1e20).message).toContain('up to 100000000000000000000 ms');
	});
});

describe('what is told of a start', () => {
	const parameters = { objectType: 'deal', startFrom: 'beginning' } as const;

	it.each([
		[{ startFrom: 'now' }, 'Starting with changes from now on (deal).'],
		[{ startFrom: 'beginning' }, 'Starting from the beginning (deal).'],
		[
			{ startFrom: 'date', startDate: date },
			'Starting with what changed after 23 Nov 2026, 09:00 UTC (deal).',
		],
	] as const)('%j', (start, message) => {
		expect(tellStart('none', undefined, { ...parameters, ...start })).toEqual({
			level: 'info',
			message,
		});
	});

	it('is a warning where it starts over, and says what is lost by that', () => {
		const told = tellStart('otherList', undefined, { ...parameters, startFrom: 'now' });
		const why = "because 'Object Type' or the event has changed";
		expect(told).toEqual({
			level: 'warn',
			message: `Starting over with changes from now on (deal), ${why}. Changes in between are not returned.`,
		});
		const { message } = tellStart('startOver', undefined, parameters);
		expect(message).toMatch(/^Starting over from the beginning .* has a new text\.$/);
	});

	it('is a warning where it continues by date, with its zone and how to read everything', () => {
		const because = "because 'Additional Parameters' have changed. For all records,";
		expect(tellStart('otherFilter', date, parameters)).toEqual({
			level: 'warn',
			message: `Continued from 23 Nov 2026, 09:00 UTC (deal), ${because} change 'Start Over'.`,
		});
		const now = tellStart('otherFilter', date, { ...parameters, startFrom: 'now' });
		const both = "set 'Start From' to Beginning and change 'Start Over'.";
		expect(now.message).toContain(`${because} ${both}`);
	});
});
