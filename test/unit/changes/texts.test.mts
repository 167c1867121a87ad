import { describe, expect, it } from 'vitest';

import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { tellHowFar, tellNote, tellStart } from '../../../nodes/changes/texts.ts';

const refused = new ServiceFailure('status', { statusCode: 403 });
const broken = new ServiceFailure('connectionLost', { code: 'ECONNRESET' });
const date = Date.parse('2026-11-23T09:00:00Z');

describe('what is told of a reading', () => {
	it.each([
		[{ kind: 'cursorRefused', failure: refused }, 'warn', /\(HTTP 403\).*Nothing is skipped/],
		[{ kind: 'stoppedEarly', failure: broken }, 'warn', /\(ECONNRESET\).*is returned/],
		[{ kind: 'started' }, 'info', /existing records have been skipped/],
	] as const)('%j', (note, level, message) => {
		expect(tellNote(note)).toEqual({ level, message: expect.stringMatching(message) });
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

	it.each([
		['startOver', "'Start Over' has a new text"],
		['otherList', "'Object Type' or the event has changed"],
		['otherFilter', "'Additional Parameters' have changed"],
		['otherVersion', 'is damaged, or from another version'],
	] as const)('is a warning where it starts over: %s', (reason, why) => {
		const told = tellStart(reason, undefined, parameters);
		expect(told.level).toBe('warn');
		expect(told.message).toContain(`Starting over from the beginning (deal), because`);
		expect(told.message).toContain(why);
		expect(told.message).toMatch(/(?<!not returned)\.$/);
		const now = tellStart(reason, undefined, { ...parameters, startFrom: 'now' });
		expect(now.message).toContain('Changes in between are not returned.');
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
