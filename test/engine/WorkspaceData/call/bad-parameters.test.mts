import { describe } from 'vitest';
import { useSandbox } from '../../harness/support.mts';
import { testRefused, type Refused } from '../refused.mts';

const bench = useSandbox({ companies: 10 });

const enrich = { resource: 'company', operation: 'enrich' };
const score = { resource: 'deal', operation: 'score' };
const whoAmI = { resource: 'workspace', operation: 'whoAmI' };
const options = (chosen: object) => ({ ...enrich, options: chosen });
const json = (jsonBody: string, operation: Record<string, unknown> = enrich) => ({
	...operation,
	dataToSend: 'json',
	jsonBody,
});
const rows = (...values: object[]) => ({ ...enrich, fields: { values } });
const typed = (type: string, value: string) => ({
	...enrich,
	fields: { assignments: [{ name: 'a', type, value }] },
});

const cases: Refused[] = [
	['text for true', options({ previewOnly: '={{ "ja" }}' }), /^Preview Only must be true/, /"ja"/],
	['too many at once', options({ maxConcurrent: 101 }), /^Max Concurrent .*at most 100$/, /101/],
	['another output', { ...whoAmI, options: { output: '={{ "data" }}' } }, /^Output has/, /result/],
	['JSON that is an array', json('[1]'), /JSON object/, /curly braces.*\[1\]/],
	['broken JSON', json('{"a":'), /^Invalid JSON at line 1, column 6$/, /Complete the parameter/],
	['nothing to send', enrich, /nothing to send/, /Add at least one field/],
	['a field without a name', rows({ name: ' ', value: '1' }), /Field 1.*no name/, /name/],
	['a field listed twice', rows({ name: 'a' }, { name: 'a' }), /"a" is listed twice/, /Remove/],
	['a number that is none', typed('number', 'abc'), /"a" .*is set to Number/, /in digits.*"abc"/],
	['a file as a field', typed('binary', 'data'), /"a" .*is set to Binary/, /another type/],
	['another type', json('{"object_type":"item"}', score), /object_type "item"/, /Resource/],
];

describe('bad parameters are refused before any request', () => {
	testRefused(bench, cases);
});
