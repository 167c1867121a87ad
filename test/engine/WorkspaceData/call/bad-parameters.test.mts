import { describe } from 'vitest';
import { useSandbox } from '../../harness/support.mts';
import { testRefused, type Refused } from '../refused.mts';

const bench = useSandbox({ companies: 10 });

const enrich = { resource: 'company', operation: 'enrich' };

const cases: Refused[] = [
	[
		'send identical once that is a number',
		{ ...enrich, options: { sendIdenticalOnce: '={{ 1 }}' } },
		/Send Identical Once must be true or false/,
		/1/,
	],
	[
		'include input fields that is text',
		{ ...enrich, options: { includeInputFields: '={{ "ja" }}' } },
		/Include Input Fields must be true or false/,
		/"ja"/,
	],
	[
		'JSON that is an array',
		{ ...enrich, dataToSend: 'json', jsonBody: '[1]' },
		/JSON object/,
		/\[1\]/,
	],
	[
		'JSON that is text',
		{ ...enrich, dataToSend: 'json', jsonBody: '"x"' },
		/JSON object/,
		/curly braces/,
	],
	[
		'broken JSON',
		{ ...enrich, dataToSend: 'json', jsonBody: '{"a":' },
		/^Invalid JSON at line 1, column 6$/,
		/Complete the parameter JSON/,
	],
	['nothing to send', enrich, /nothing to send/, /Add at least one field/],
	[
		'a field without a name',
		{ ...enrich, fields: { values: [{ name: ' ', value: '1' }] } },
		/Field 1.*no name/,
		/name/,
	],
	[
		'a field listed twice',
		{
			...enrich,
			fields: {
				values: [
					{ name: 'a', value: '1' },
					{ name: 'a', value: '2' },
				],
			},
		},
		/"a" is listed twice/,
		/Remove/,
	],
	[
		'a number that is none',
		{ ...enrich, fields: { assignments: [{ name: 'a', type: 'number', value: 'abc' }] } },
		/"a" .*is set to Number/,
		/in digits/,
	],
	[
		'a list that does not parse',
		{ ...enrich, fields: { assignments: [{ name: 'a', type: 'array', value: '[1,' }] } },
		/"a" .*is set to Array/,
		/JSON list.*"\[1,"/,
	],
	[
		'a file as a field',
		{ ...enrich, fields: { assignments: [{ name: 'a', type: 'binary', value: 'data' }] } },
		/"a" .*is set to Binary/,
		/another type/,
	],
	[
		'an assignment without a name',
		{ ...enrich, fields: { assignments: [{ name: '', type: 'string', value: 'x' }] } },
		/Field 1.*no name/,
		/name/,
	],
	[
		'another object type',
		{
			resource: 'deal',
			operation: 'score',
			dataToSend: 'json',
			jsonBody: '{"object_type":"company"}',
		},
		/object_type "company"/,
		/Resource/,
	],
];

describe('bad parameters are refused before any request', () => {
	testRefused(bench, cases);
});
