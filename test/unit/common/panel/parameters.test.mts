import fc from 'fast-check';
import { tryToParseDateTime } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import {
	dateAndTime,
	optionalText,
	readChoice,
	readOptions,
	shown,
	trueOrFalse,
	wholeNumber,
} from '../../../../nodes/common/panel/parameters.ts';
import { readPageSize, readRequestLimits } from '../../../../nodes/common/panel/request-options.ts';
import { problemOf } from '../../WorkspaceData/parameters-support.mts';
import { choice } from '../../../../nodes/common/panel/fields.ts';

describe('shown', () => {
	it.each([
		[undefined, 'empty'],
		[null, 'empty'],
		['', 'empty'],
		['a b', '"a b"'],
		[1.5, '1.5'],
		[NaN, 'NaN'],
		[() => 1, '() => 1'],
		[false, 'false'],
		[{ a: [1] }, '{"a":[1]}'],
	])('shows %j as %s', (value, expected) => {
		expect(shown(value)).toBe(expected);
	});

	it('is short for any value', () => {
		fc.assert(
			fc.property(fc.anything({ withBigInt: true }), (value) => {
				expect(shown(value).length).toBeLessThanOrEqual(61);
			}),
		);
	});
});

describe('wholeNumber', () => {
	it.each([1, '7', ' 12 ', Number.MAX_SAFE_INTEGER])('takes %j', (value) => {
		expect(wholeNumber(value, 'Limit', 1)).toBe(Number(value));
	});

	it.each([0, 1.5, ' ', '1,000', null, true, [5], NaN, Infinity, 1e300])(
		'refuses %j, names the parameter and says what it should be',
		(value) => {
			expect(problemOf(() => wholeNumber(value, 'Limit', 1))).toMatchObject({
				message: "'Limit' must be a whole number of at least 1",
				description: expect.stringMatching(/^Change 'Limit'\. It is .+ now\.$/),
			});
		},
	);
});

describe('trueOrFalse', () => {
	it.each([
		[true, true],
		['true', true],
		[' TRUE\n', true],
		[false, false],
		['false', false],
		['False', false],
	])('takes %j', (value, expected) => {
		expect(trueOrFalse(value, 'Return All', !expected)).toBe(expected);
	});

	it.each([true, false])('is %j by default', (otherwise) => {
		expect(trueOrFalse(undefined, 'Return All', otherwise)).toBe(otherwise);
	});

	it.each([null, '', ' ', 'yes', 'no', '1', 1, 0, NaN, [], [true], {}, 'truefalse'])(
		'refuses %j and names the parameter',
		(value) => {
			const { message, description } = problemOf(() => trueOrFalse(value, 'Return All', false));
			expect(message).toBe("'Return All' must be true or false");
			expect(description).toContain("Change 'Return All'");
		},
	);
});

describe('readChoice', () => {
	const letter = choice('Letter', 'letter', { choices: { a: ['A'], b: ['B'] }, default: 'a' });

	it('takes what the panel offers, and names that for anything else', () => {
		expect(readChoice('b', letter)).toBe('b');
		expect(readChoice(undefined, letter)).toBe('a');
		for (const value of ['c', 'A', '', null, 1, ['a'], '__proto__']) {
			const { message, description } = problemOf(() => readChoice(value, letter));
			expect(message).toBe("'Letter' has a value that does not exist");
			expect(description).toContain('a, b');
		}
	});
});

describe('optionalText', () => {
	it.each([
		['a', 'a'],
		['  a b ', 'a b'],
		['', undefined],
		['  ', undefined],
		[undefined, undefined],
		[null, undefined],
	])('reads %j as %j', (value, expected) => {
		expect(optionalText(value, 'Name')).toBe(expected);
	});
});

describe('readOptions and readRequestLimits', () => {
	it('gives an object for whatever the parameter holds', () => {
		expect(readOptions(() => ({ timeout: 5 }))).toEqual({ timeout: 5 });
		for (const value of [undefined, null, '', 'text', 5]) {
			expect(readOptions((_name, fallback) => value ?? fallback)).toEqual({});
		}
	});

	const timeoutMs = 1_000;
	it('uses the defaults for what is not set', () => {
		const limits = { maxRetries: 4, maxWaitMs: 300_000, timeoutMs };
		expect(readRequestLimits({}, timeoutMs)).toEqual(limits);
		for (const name of ['maxRetries', 'maxWait', 'maxRequestsPerMinute', 'timeout'])
			problemOf(() => readRequestLimits({ [name]: null }, timeoutMs));
	});

	it('takes no retries and no wait, but not less, and no timeout of nothing', () => {
		const least = { maxRetries: 0, maxWaitMs: 0, timeoutMs: 1 };
		expect(readRequestLimits({ maxRetries: 0, maxWait: '0', timeout: '1' }, 5)).toEqual(least);
		expect(readRequestLimits({ maxWait: 90 }, timeoutMs).maxWaitMs).toBe(90_000);
		for (const [options, label] of [
			[{ maxWait: -1 }, 'Max Wait'],
			[{ maxRetries: -1 }, 'Max Retries'],
			[{ timeout: 0 }, 'Timeout'],
		] as const) {
			const { message } = problemOf(() => readRequestLimits(options, timeoutMs));
			expect(message).toContain(label);
		}
	});
});

describe('dateAndTime', () => {
	it.each([
		['2026-11-23T09:00:00Z', '2026-11-23T09:00:00Z'],
		['2026-11-23T09:00:00', '2026-11-23T08:00:00Z'],
		['2026-11-23', '2026-11-22T23:00:00Z'],
		[new Date('2026-11-23T09:00:00Z'), '2026-11-23T09:00:00Z'],
		[1_795_424_400, '2026-11-23T09:00:00Z'],
		['1795424400000', '2026-11-23T09:00:00Z'],
		[1_795_424_400_000_000, '2026-11-23T09:00:00Z'],
		['1795424400000000000', '2026-11-23T09:00:00Z'],
		[tryToParseDateTime('2026-11-23T09:00:00Z', 'Asia/Tokyo'), '2026-11-23T09:00:00Z'],
		[0, '1970-01-01T00:00:00Z'],
		[' 2026-11-23 09:00:00 ', '2026-11-23T08:00:00Z'],
		['2026-11-23 09:00:00.250 +02:00', '2026-11-23T07:00:00.250Z'],
		['20261123', '2026-11-22T23:00:00Z'],
		['20261123T090000', '2026-11-23T08:00:00Z'],
		['Mon, 23 Nov 2026 09:00:00 +0200', '2026-11-23T07:00:00Z'],
		['Mon, 23 Nov 2026 09:00:00 GMT', '2026-11-23T09:00:00Z'],
		['Mon Nov 23 09:00:00 2026', '2026-11-23T09:00:00Z'],
	])('reads %j in the time zone of the workflow, whatever the server has', (value, expected) => {
		expect(dateAndTime(value, 'Changed After', 'Europe/Berlin')).toBe(Date.parse(expected));
	});

	it.each(['2026-11-23T09:00:00.123456Z', '2026-11-23 09:00:00,1234560Z', 1_795_424_400_123_456])(
		'keeps the microseconds of %j',
		(date) => expect(dateAndTime(date, 'Changed After', 'UTC') % 1_000).toBeCloseTo(123.456, 3),
	);

	it.each([
		[
			'2026-10-25T02:15',
			'Europe/Berlin',
			'comes twice',
			'2026-10-25T02:15+02:00 or 2026-10-25T02:15+01:00',
		],
		[
			'2026-10-25 02:15:30',
			'Europe/Berlin',
			'comes twice',
			'2026-10-25T02:15:30+02:00 or 2026-10-25T02:15:30+01:00',
		],
		[
			'2026-11-01T01:30',
			'America/New_York',
			'comes twice',
			'2026-11-01T01:30-04:00 or 2026-11-01T01:30-05:00',
		],
		[
			'2026-03-29T02:30',
			'Europe/Berlin',
			'does not exist',
			'2026-03-29T01:30+01:00 or 2026-03-29T03:30+02:00',
		],
		[
			'2026-03-08T02:00',
			'America/New_York',
			'does not exist',
			'2026-03-08T01:00-05:00 or 2026-03-08T03:00-04:00',
		],
		[
			'2026-10-04T02:10',
			'Australia/Lord_Howe',
			'does not exist',
			'2026-10-04T01:40+10:30 or 2026-10-04T02:40+11:00',
		],
	])('asks which moment is meant where clocks change: %s in %s', (text, zone, what, both) => {
		const { message, description } = problemOf(() => dateAndTime(text, 'Start Date', zone));
		expect(message).toBe(`'Start Date': ${text.replace(' ', 'T')} ${what} in ${zone}`);
		expect(description).toContain(`Write ${both}.`);
		for (const moment of both.split(' or ')) {
			expect(dateAndTime(moment, 'Start Date', zone)).toBe(Date.parse(moment));
		}
	});

	it.each([
		'2026-10-25T01:59',
		'2026-10-25T03:00',
		'2026-03-29T01:59',
		'2026-03-29T03:00',
		'2026-03-29',
	])('reads %s, next to where clocks change, without asking', (text) =>
		expect(dateAndTime(text, 'Start Date', 'Europe/Berlin')).toBeGreaterThan(0),
	);

	const loose =
		'soon|4.3.2026|row 12|2026/03/04 09:00|March 4|Mar 4, 2026|2026-3-4|9 Mar 2026|1e10|2026|2026-03|09:00|12';
	const lacking =
		'2026-02-30|2026-02-29T09:00|2026-03-04 25:00:00|30 Feb 2026 09:00 GMT|Thu, 04 Mar 2026 09:00:00 GMT';
	const numbers = [new Date(NaN), 1e30, 2026, 20_260_304, 202_611_300_900, 20_261_130_090_000];
	const others: unknown[] = [NaN, ['row 12'], ['2026-03-04'], { toString: 1 }, {}, [], true];
	const texts = [loose, lacking, '| |202611300900|20261130090000|45982.5|20417'];
	it.each([...texts.flatMap((text) => text.split('|')), ...numbers, ...others])(
		'refuses %j',
		(value) => {
			const problem = problemOf(() => dateAndTime(value, 'Changed After', 'UTC'));
			expect(problem.message).toBe("'Changed After' must be a date and time");
			expect(problem.description).toContain("or remove 'Changed After'.");
		},
	);
});

describe('readPageSize', () => {
	it('is not set, or within what is allowed', () => {
		expect(readPageSize({})).toBeUndefined();
		for (const pageSize of [1, '20']) expect(readPageSize({ pageSize }, 20)).toBe(Number(pageSize));
		expect(readPageSize({ pageSize: 100_000 })).toBe(100_000);
		expect(problemOf(() => readPageSize({ pageSize: 21 }, 20))).toMatchObject({
			message: "'Page Size' must be a whole number of at least 1 and at most 20",
			description: expect.stringContaining('It is 21 now.'),
		});
	});
});
