import type { IExecuteFunctions } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { MissingFields } from '../../../../nodes/shared/panel/record-fields.ts';
import { hintOnLongNumbers, logProgress } from '../../../../nodes/WorkspaceData/list/list-hints.ts';
import { nodeRunOf } from '../parameters-support.mts';

/** Creates a node run, and a list of the hints that the node run shows. */
function hinting() {
	const hints: string[] = [];
	const addExecutionHints = ({ message }: { message: string }) => hints.push(message);
	return { hints, nodeRun: nodeRunOf({ addExecutionHints }) };
}

/** Creates a clock, a logger that collects lines, and the function that logs the progress of a list. */
function logging() {
	const time = { nowMs: 5_000 };
	const lines: string[] = [];
	const logger = { info: (line: string) => void lines.push(line) } as IExecuteFunctions['logger'];
	return { time, lines, note: logProgress({ logger }, () => time.nowMs) };
}

it('logs the progress of a list every 30 seconds, but not in the first 30 seconds', () => {
	const { time, lines, note } = logging();
	for (let recordsRead = 1_000; recordsRead <= 70_000; recordsRead += 1_000) {
		time.nowMs += 1_000;
		note({ recordsRead, total: 70_000 });
	}
	expect(lines).toEqual([
		'Workspace Data: 30,000 of 70,000 records read, 1,000 per second, about 40 seconds left',
		'Workspace Data: 60,000 of 70,000 records read, 1,000 per second, about 10 seconds left',
	]);
});

it.each([
	[{ recordsRead: 15_000, total: undefined }, '15,000 records read, 500 per second'],
	[{ recordsRead: 15_000, total: 400 }, '15,000 records read, 500 per second'],
	[{ recordsRead: 0, total: 400 }, '0 records read, 0 per second'],
	[
		{ recordsRead: 3_000, total: 1_000_000 },
		'3,000 of 1,000,000 records read, 100 per second, about 2.8 hours left',
	],
])('logs only the known numbers about the progress of a list: %j after 30 s', (progress, line) => {
	const { time, lines, note } = logging();
	time.nowMs += 30_000;
	note(progress);
	expect(lines).toEqual([`Workspace Data: ${line}`]);
});

it.each([
	['{"id":9007199254740993}', ['id']],
	['{"id":1,"owner":{"ids":[12345678901234567890]}}', ['owner']],
	['{"id":-9007199254740993,"n":12345678901234567891}', ['id', 'n']],
	['{"id":"9007199254740993"}', []],
	['{"id":1,"at":1795424400123456,"rate":0.12345678901234567}', []],
	['{"n":9007199254740991,"b":9007199254740993}', ['b']],
])('names all fields whose numbers may have lost digits in one hint: %s', (record, fields) => {
	const { hints, nodeRun } = hinting();
	for (const text of ['{"id":1}', record, record])
		hintOnLongNumbers(nodeRun, [JSON.parse(text) as Record<string, unknown>]);
	expect(hints).toEqual([]);
	nodeRun.hintAtEnd();
	expect(hints).toEqual(
		fields.length === 0
			? []
			: [
					`Long numbers in "${fields.join('", "')}" may have lost their last digits. To keep them, set <b>Output As</b> to NDJSON Files or CSV Files.`,
				],
	);
});

it('does not report a field as missing if a record has null in the field, or if there are no records', () => {
	const { hints, nodeRun } = hinting();
	const missing = new MissingFields();
	const fields = ['id', 'name', 'created_at'];
	missing.lookAt([{ id: 1, name: 'x' }, { id: 2 }], fields);
	missing.lookAt([{ id: 3, created_at: null }], fields);
	missing.lookAt([], ['Name']);
	missing.warn(nodeRun);
	expect(hints).toEqual([]);
});
