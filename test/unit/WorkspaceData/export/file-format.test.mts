import { expect, it } from 'vitest';

import { findRecords } from '../../../../nodes/shared/client/raw-records.ts';
import { createNdjsonFormat } from '../../../../nodes/WorkspaceData/export/file-format.ts';

/** Characters at which some programs split lines, such as Python's splitlines(), .NET, editors and old JavaScript. */
const LINE_ENDS = [
	'\n',
	'\r',
	'\u000b',
	'\u000c',
	'\u001c',
	'\u001d',
	'\u001e',
	'\u0085',
	'\u2028',
	'\u2029',
];

it.each([
	['all fields', undefined],
	['chosen fields', ['id', 'note', 'inner.note']],
])(
	'writes NDJSON records without unescaped characters at which some programs split lines: %s',
	(_what, fields) => {
		const note = `a${LINE_ENDS.join('b')}c`;
		const record = { id: 1, note, inner: { note, [note]: true } };
		// Test both spellings, because JSON text can contain U+0085, U+2028 and U+2029 escaped or unescaped.
		const asciiOnly = JSON.stringify(record).replace(
			/[\u0080-\uffff]/g,
			(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
		);
		const raw = [JSON.stringify(record), asciiOnly, JSON.stringify(record, undefined, 2)];
		const lines = createNdjsonFormat(fields).linesOf(
			findRecords(`{"data":{"items":[${raw.join(',')}]}}`),
		);
		const kept = fields === undefined ? record : { id: 1, note, inner: { note } };
		for (const line of lines) expect(JSON.parse(line)).toEqual(kept);
		const ends = [...lines.join('')].filter((character) => LINE_ENDS.includes(character));
		expect(ends).toEqual(['\n', '\n', '\n']);
	},
);
