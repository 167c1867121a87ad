import { describe, expect, it } from 'vitest';

import { createNdjsonFormat } from '../../../../nodes/WorkspaceData/export/file-format.ts';
import { findRecords } from '../../../../nodes/shared/client/raw-records.ts';
import { hasField, pickFields } from '../../../../nodes/shared/panel/record-fields.ts';

const text =
	'{"id":1,"address":{"city":"Oslo","geo":{"lat":1.5,"lon":2}},"address.zip":"0150","none":null,"__proto__":3}';
const record = JSON.parse(text) as Record<string, unknown>;

/** Returns the line that an NDJSON file contains for these fields of the record. */
function inFile(fields: string[]): string {
	const records = findRecords(`{"data":{"items":[${text}]}}`);
	return createNdjsonFormat(fields).linesOf(records)[0];
}

describe.each<[string[], string]>([
	[['none', 'id'], '{"none":null,"id":1}'],
	[['address.city'], '{"address":{"city":"Oslo"}}'],
	[['address.geo.lon', 'id', 'address.city'], '{"address":{"geo":{"lon":2},"city":"Oslo"},"id":1}'],
	[['address.zip'], '{"address.zip":"0150"}'],
	[['id.city', 'address.name', 'none.a', 'other'], '{}'],
	[['__proto__'], '{"__proto__":3}'],
	[['address.geo', 'address.geo.lat'], '{"address":{"geo":{"lat":1.5,"lon":2}}}'],
	[['address.city', 'address'], '{"address":{"city":"Oslo","geo":{"lat":1.5,"lon":2}}}'],
])('the chosen fields %j', (fields, kept) => {
	it('returns exactly the chosen fields, nested as in the record, in the chosen order', () => {
		expect(JSON.stringify(pickFields(record, fields))).toBe(kept);
		expect(inFile(fields)).toBe(`${kept}\n`);
		expect(JSON.stringify(record)).toBe(JSON.stringify(JSON.parse(text)));
	});

	it('finds a chosen field in the record if and only if a field is returned', () => {
		expect(fields.some((field) => hasField(record, field))).toBe(kept !== '{}');
	});
});
