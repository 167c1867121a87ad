import { describe, expect, it } from 'vitest';

import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { tellHowFar, tellName, tellNote, tellStart } from '../../../nodes/changes/texts.ts';

const refused = new ServiceFailure('status', { statusCode: 403 });
const broken = new ServiceFailure('connectionLost', { code: 'ECONNRESET' });
const date = Date.parse('2026-11-23T09:00:00Z');

describe('what is told of a reading', () => {
	it.each([
		[{ kind: 'cursorRefused', failure: refused }, 'warn', /\(HTTP 403\).*Nothing is skipped/],
		[{ kind: 'stoppedEarly', failure: broken }, 'warn', /\(ECONNRESET\).*is returned/],
		[{ kind: 'started' }, 'info', /existing records have been skipped/],
		[{ kind: 'cursorMoved' }, 'debug', /elsewhere now.*Nothing is skipped/],
		[{ kind: 'overlapShortened' }, 'debug', /only the newest/],
	] as const)('%j', (note, level, message) => {
		expect(tellNote(note)).toEqual({ level, message: expect.stringMatching(message) });
	});

	it('says how far it has come, also by dates that no calendar has', () => {
		expect(tellHowFar(date).message).toContain('up to 2026-11-23T09:00:00.000Z');
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
			'Starting with what changed after 2026-11-23T09:00:00.000Z (deal).',
		],
	] as const)('%j', (start, message) => {
		expect(tellStart('none', { ...parameters, ...start })).toEqual({ level: 'info', message });
	});

	it.each([
		['damaged', 'is damaged, or from another version'],
		['otherSettings', 'belongs to another address, object type, event'],
		['otherWorkspace', 'belongs to another workspace'],
	] as const)('is a warning where it starts over: %s', (reason, why) => {
		const { level, message } = tellStart(reason, parameters);
		expect(level).toBe('warn');
		expect(message).toContain(why);
		expect(message).toContain('Starting over from the beginning (deal)');
		expect(message).toMatch(/(?<!not returned)\.$/);
		expect(tellStart(reason, { ...parameters, startFrom: 'now' }).message).toContain(
			'Changes in between are not returned.',
		);
	});
});

it('says that progress depends on the name of a node, and which one it may have had', () => {
	const message =
		'By default, n8n keeps the progress of a trigger by its name: renamed or copied, it starts over.';
	expect(tellName()).toEqual({ level: 'info', message });
	expect(tellName('Old')).toEqual({
		level: 'warn',
		message: `If this node was called "Old" before, give it that name again to continue there. ${message}`,
	});
});
