import { markdownTable } from 'markdown-table';

import { unpack, type Checkpoint } from '../../../../nodes/shared/changes/checkpoint.ts';
import { shuffled } from '../../../sandbox/table.mts';
import { Follower } from './follower.mts';
import type { ListService } from './service.mts';

/**
 * Five polls, each with its time, its description in the table, and the events before it. Records are called A to J in
 * the order of their creation.
 */
const POLLS: Array<
	[at: string, what: string, happens: Array<[at: string, (service: ListService) => void]>]
> = [
	['12:00:00', 'Start From: Now. A to G were created, one per minute.', []],
	[
		'12:00:20',
		'H and J are created at :10 and :15, and I at :12. The service does not show I yet.',
		[
			['12:00:10', (service) => service.create(1)],
			['12:00:12', (service) => service.beginLate(1)],
			['12:00:15', (service) => service.create(1)],
		],
	],
	['12:00:40', 'I is shown, before J.', [['12:00:30', (service) => service.commitLate()]]],
	[
		'12:01:20',
		'B is changed at 12:01:00, and moves to the end.',
		[['12:01:00', (service) => service.update(1, 1)]],
	],
	['12:02:20', 'Nothing.', []],
];

const DAY = Date.UTC(2023, 10, 15);
const msOf = (time: string): number => Date.parse(`1970-01-01T${time}Z`);
const timeOf = (ms: number): string => new Date(ms).toISOString().slice(11, 19);

/**
 * Returns a worked example as a Markdown table: five polls with a page size of three, and the checkpoint after each
 * poll.
 */
export async function fivePolls(): Promise<string> {
	const follower = new Follower({ pageSize: 3, clockAheadMs: 0 });
	const { service } = follower;
	const until = (time: string): void =>
		service.tick((DAY + msOf(time) - service.localTime()) / 1_000);
	for (let minute = 53; minute < 60; minute++) {
		until(`11:${minute}:00`);
		service.create(1);
	}
	const letters = new Map<string, string>();
	const rows: string[][] = [];
	for (const [at, what, happens] of POLLS) {
		for (const [time, happen] of happens) {
			until(time);
			happen(service);
		}
		until(at);
		const { names, requests, checkpoint } = await follower.poll();
		for await (const { envelope, versions } of service.reader().pages(undefined))
			for (const [index, { digest }] of versions.entries())
				letters.set(digest, letterOf(String(envelope.data.items[index].version)));
		const given = names.map(letterOf).join(' ') || '–';
		rows.push([at, what, String(requests), given, ...remembered(checkpoint, letters)]);
	}
	const header = [
		'Poll',
		'Before it',
		'Requests',
		'Returns',
		'`watermark`',
		'`seenAtWatermark`',
		'`seen`',
		'`savedCursors` lead to',
	];
	return markdownTable([header, ...rows], { alignDelimiters: false });
}

/** Returns the letter of a record (A to J). The changed version of record B gets a prime (B′). */
function letterOf(version: string): string {
	const [key, time] = version.split('@');
	const letters = [...'ABCDEFGHIJ'];
	const letter = letters.find((_one, index) => Number(key.slice(1)) === shuffled(index)) ?? '?';
	return letter === 'B' && Number(time) > DAY + msOf('12:00:00') ? 'B′' : letter;
}

function remembered(checkpoint: Checkpoint, letters: Map<string, string>): string[] {
	const named = (digests: string): string =>
		unpack(digests)
			.map((one) => letters.get(one) ?? '?')
			.join(' ') || '–';
	const { watermark, seenAtWatermark, seen, savedCursors } = checkpoint;
	return [
		watermark === null ? '–' : timeOf(watermark),
		named(seenAtWatermark),
		named(seen),
		savedCursors.map(({ first }) => letters.get(first) ?? '?').join(', ') || '–',
	];
}
