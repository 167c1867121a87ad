/**
 * Checks that no text from a user or the service can keep n8n busy. The time to read a text must not grow with the
 * square of its length.
 */
import { expect, it } from 'vitest';

import { readBody } from '../../../../nodes/shared/client/envelope.ts';
import { retryAfterOf } from '../../../../nodes/shared/client/envelope.ts';
import {
	bodyWithAllDigits,
	canonicalJson,
	parseExactJson,
	writeJson,
} from '../../../../nodes/shared/client/exact-json.ts';
import { redact, shorten } from '../../../../nodes/shared/client/secrets.ts';
import { preciseTimeOf, timeOf } from '../../../../nodes/shared/lists/dates.ts';
import { CsvFormat } from '../../../../nodes/WorkspaceData/export/csv.ts';
import { fileNameFrom } from '../../../../nodes/WorkspaceData/export/file-name.ts';
import { findRecords, onOneLine } from '../../../../nodes/shared/client/raw-records.ts';
import { plainCsv } from '../../WorkspaceData/export/plain-csv.mts';

const LONG = '9007199254740993';
const json = JSON.stringify;
const answer = (text: string, statusCode: number) => ({ statusCode, headers: {}, text });
const failing = (text: string) => expect(() => readBody(answer(text, 500), 0)).toThrow();

/** All functions that read text from users or the service, by kind of text. */
const readers: Record<string, (text: string) => unknown> = {
	'JSON of a user': (text) =>
		canonicalJson(parseExactJson(`{"a":${json(text)},"b":${LONG}}`, true)),
	'JSON whose keys are long': (text) => writeJson(parseExactJson(`{${json(text)}:${LONG}}`, true)),
	'numbers of a user': (text) => {
		const number = `1${text.replace(/\D/g, '')}1`;
		return canonicalJson(parseExactJson(`[${number},0.${number},1e-${number}]`, true));
	},
	'the digits of a response': (text) =>
		bodyWithAllDigits({ body: text, text: `{"a":${json(text)},"b":[${LONG},1]}` }),
	secrets: (text) => redact(text, ['fake-v2-full-access-key-0123456789']),
	'a long line': (text) => shorten(text),
	'an error page': (text) => failing(`<html>${text}`),
	'an error in JSON': (text) => {
		const half = text.slice(0, 9_000);
		failing(json({ message: text, detail: `.${text}`, error: [text, `${half}x${half}`] }));
	},
	headers: (text) => {
		retryAfterOf({ ...answer('', 429), headers: { 'retry-after': `mon${text}` } }, 0);
		const date = new Date(0).toUTCString();
		retryAfterOf({ ...answer('', 429), headers: { 'retry-after': date, date: text } }, 0);
	},
	'a date of a record': (text) => [timeOf(text), preciseTimeOf(`2026-11-30T10:00:00.${text}`)],
	'a record on one line': (text) => onOneLine(`{\n${text}}`),
	'a CSV cell': (text) => {
		const more = { decimalSign: ',', isForExcel: true, escapeFormulas: true } as const;
		const csv = new CsvFormat({ ...plainCsv, ...more });
		const page = `{"data":{"items":[{"a":${json(text)},${json(text)}:[${json(text)}]}]}}`;
		return csv.linesOf(findRecords(page));
	},
	'a file name': (text) => fileNameFrom(text),
};

const PARTS = [
	...Array.from({ length: 95 }, (_none, at) => String.fromCharCode(32 + at)),
	...['\n', '\t', '\r\n', '\\"', '\\u0023', '&#35', '&amp;', '%23', '<script', '<title'],
	...['</script ', '"0"'],
	...['ä', '\ud800', '🎉', '\0', 'r=0;', 'workspace', '00:', '{"a":', '[['],
];
const SHORT = 1_000;
const TIMES = 64;
/**
 * Maximum factor by which the time can grow for a text that is TIMES times as long. The factor is larger than TIMES,
 * because long arrays cost a little more than short ones. With quadratic growth, the factor would be TIMES * TIMES.
 */
const BOUND = TIMES ** 1.8;

function durationOf(read: (text: string) => unknown, text: string): number {
	const began = performance.now();
	read(text);
	return performance.now() - began;
}

/**
 * Returns the time to read a long text, divided by the time to read a short text. Uses the shortest of several
 * measurements, because other processes use the machine too.
 */
function growthOf(read: (text: string) => unknown, part: string): number {
	const runOf = (length: number) => part.repeat(Math.ceil(length / part.length));
	let least = [Infinity, Infinity];
	let growth = Infinity;
	for (let tries = 0; tries < 12 && growth >= BOUND; tries++) {
		const short = durationOf(read, runOf(SHORT));
		const long = durationOf(read, runOf(SHORT * TIMES));
		// Use at least the time to copy a short text letter by letter, because shorter times cannot be measured
		// precisely.
		const letters = durationOf((text) => [...text].map((one) => one + one), 'a'.repeat(SHORT));
		least = [Math.min(least[0], Math.max(short, letters)), Math.min(least[1], long)];
		growth = least[1] / least[0];
	}
	return growth;
}

it.each(Object.entries(readers))('reads %s in less than quadratic time', (_name, read) => {
	for (const part of PARTS) {
		const growth = growthOf(read, part);
		const what = `a run of ${json(part)}, ${TIMES} times as long: how many times the time`;
		expect.soft(growth, what).toBeLessThan(BOUND);
	}
});
