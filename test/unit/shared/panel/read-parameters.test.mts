import fc from 'fast-check';
import { tryToParseDateTime } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import {
	dateAndTime,
	shown,
	trueOrFalse,
	wholeNumber,
} from '../../../../nodes/shared/panel/read-parameters.ts';
import { problemOf } from '../../WorkspaceData/parameters-support.mts';

it('shortens any value that an error shows', () => {
	fc.assert(
		fc.property(fc.anything({ withBigInt: true }), (value) => {
			expect(shown(value).length, 'characters').toBeLessThanOrEqual(61);
		}),
	);
});

describe('wholeNumber', () => {
	it.each([1, '7', ' 12 ', Number.MAX_SAFE_INTEGER])('accepts %j as a whole number', (value) => {
		expect(wholeNumber(value, 'Limit', 1)).toBe(Number(value));
	});

	it.each<[unknown, string]>([
		...[0, 1.5, true, NaN, Infinity, 1e300].map((value): [unknown, string] => [value, `${value}`]),
		[' ', '" "'],
		['1,000', '"1,000"'],
		[null, 'empty'],
		[[5], '[5]'],
		[{ a: [1] }, '{"a":[1]}'],
		[() => 1, '() => 1'],
	])(
		'rejects %j as a whole number, and names the parameter and the allowed values',
		(value, now) => {
			expect(problemOf(() => wholeNumber(value, 'Limit', 1))).toMatchObject({
				message: "'Limit' must be a whole number of at least 1",
				description: `Change 'Limit'. It is ${now} now.`,
			});
		},
	);
});

describe('trueOrFalse', () => {
	it.each([
		[true, true],
		[' TRUE\n', true],
		[false, false],
		['false', false],
	])('accepts %j as true or false', (value, expected) => {
		expect(trueOrFalse(value, 'Return All', !expected)).toBe(expected);
	});

	it.each([null, '', ' ', 'yes', 'no', '1', 1, 0, NaN, [], [true], {}, 'truefalse'])(
		'rejects %j as true or false, and names the parameter',
		(value) => {
			const { message, description } = problemOf(() => trueOrFalse(value, 'Return All', false));
			expect(message).toBe("'Return All' must be true or false");
			expect(description).toContain("Change 'Return All'");
		},
	);
});

describe('dateAndTime', () => {
	it.each([
		['2026-11-23T09:00:00Z', '2026-11-23T09:00:00Z'],
		['2026-11-23T09:00:00', '2026-11-23T08:00:00Z'],
		['2026-11-23', '2026-11-22T23:00:00Z'],
		[new Date('2026-11-23T09:00:00Z'), '2026-11-23T09:00:00Z'],
		[1_795_424_400, '2026-11-23T09:00:00Z'],
		['1795424400000', '2026-11-23T09:00:00Z'],
		[tryToParseDateTime('2026-11-23T09:00:00Z', 'Asia/Tokyo'), '2026-11-23T09:00:00Z'],
		[0, '1970-01-01T00:00:00Z'],
		[' 2026-11-23 09:00:00 ', '2026-11-23T08:00:00Z'],
		['2026-11-23 09:00:00.250 +02:00', '2026-11-23T07:00:00.250Z'],
		['20261123', '2026-11-22T23:00:00Z'],
		['20261123T090000', '2026-11-23T08:00:00Z'],
	])('reads the date %j in the time zone of the workflow, not of the server', (value, expected) => {
		expect(dateAndTime(value, 'Changed After', 'Europe/Berlin')).toBe(Date.parse(expected));
	});

	it.each(['2026-11-23T09:00:00.123456Z', '2026-11-23 09:00:00,1234560Z', 1_795_424_400_123_456])(
		'keeps the microseconds of the date %j',
		(date) => expect(dateAndTime(date, 'Changed After', 'UTC') % 1_000).toBeCloseTo(123.456, 3),
	);

	it.each([
		['2026-10-25T', '02:15', 'Europe/Berlin', 'occurs twice', '02:15+02:00', '02:15+01:00'],
		[
			'2026-10-25 ',
			'02:15:30',
			'Europe/Berlin',
			'occurs twice',
			'02:15:30+02:00',
			'02:15:30+01:00',
		],
		['2026-11-01T', '01:30', 'America/New_York', 'occurs twice', '01:30-04:00', '01:30-05:00'],
		['2026-03-29T', '02:30', 'Europe/Berlin', 'does not exist', '01:30+01:00', '03:30+02:00'],
		['2026-03-08T', '02:00', 'America/New_York', 'does not exist', '01:00-05:00', '03:00-04:00'],
		['2026-10-04T', '02:10', 'Australia/Lord_Howe', 'does not exist', '01:40+10:30', '02:40+11:00'],
	])('rejects a local time that occurs twice or does not exist: %s%s in %s', (...row) => {
		const [day, time, zone, what, ...times] = row;
		const moments = times.map((one) => `${day.trim().replace(/T$/, '')}T${one}`);
		const { message, description } = problemOf(() => dateAndTime(day + time, 'Start Date', zone));
		expect(message).toBe(`'Start Date': ${day.replace(' ', 'T')}${time} ${what} in ${zone}`);
		expect(description).toContain(`Write ${moments.join(' or ')}.`);
		for (const moment of moments) {
			expect(dateAndTime(moment, 'Start Date', zone)).toBe(Date.parse(moment));
		}
	});

	it.each(['10-25T01:59', '10-25T03:00', '03-29T01:59', '03-29T03:00', '03-29'])(
		'reads the local time 2026-%s, just before or after the clocks change',
		(text) => expect(dateAndTime(`2026-${text}`, 'a', 'Europe/Berlin')).toBeGreaterThan(0),
	);

	const loose =
		'soon|4.3.2026|row 12|2026/03/04 09:00|March 4|Mar 4, 2026|2026-3-4|9 Mar 2026|1e10|2026|2026-03|09:00|12';
	const lacking = '2026-02-30|2026-02-29T09:00|2026-03-04 25:00:00|Wed, 04 Mar 2026 09:00:00 GMT';
	const numbers = [new Date(NaN), 1e30, 2026, 20_260_304, 202_611_300_900, 20_261_130_090_000];
	const others: unknown[] = [NaN, ['row 12'], ['2026-03-04'], { toString: 1 }, {}, [], true];
	const texts = [loose, lacking, '| |202611300900|20261130090000|45982.5|20417'];
	it.each([...texts.flatMap((text) => text.split('|')), ...numbers, ...others])(
		'rejects %j as a date and time',
		(value) => {
			const problem = problemOf(() => dateAndTime(value, 'Changed After', 'UTC'));
			expect(problem.message).toBe("'Changed After' must be a date and time");
			expect(problem.description).toContain("or remove 'Changed After'.");
		},
	);
});
