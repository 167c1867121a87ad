import { expect, it } from 'vitest';

import { refusingMistakes } from '../../../../nodes/shared/panel/raw-parameters.ts';
import { properties } from '../../../../nodes/WorkspaceData/node-properties.ts';
import { problemOf } from '../../WorkspaceData/parameters-support.mts';

/**
 * Returns the value of a parameter. The simulated n8n returns the fallback, or the raw value if there is no fallback.
 */
const valueOf = (name: string, written: unknown, fallback?: unknown): unknown =>
	refusingMistakes(
		(_name, otherwise = written) => otherwise,
		{ [name]: written },
		properties,
		() => undefined,
	)(name, fallback);

// test/engine/WorkspaceData/raw-parameters.test.mts tests the rules that hold for all parameters.
it('rejects an expression that returns nothing, although n8n would use the default value', () => {
	const get = refusingMistakes(
		(_name, fallback) => fallback,
		{ limit: '=a' },
		[],
		() => undefined,
	);
	expect(problemOf(() => get('limit', 50)).message).toContain("'limit' returns nothing");
	expect(valueOf('limit', 'a=', 50)).toBe(50);
});

const row = (value: unknown) => ({ id: '1', name: 'domain', type: 'string', value });

it.each([
	[
		'fields',
		{ assignments: [row('a'), row('{{ $json.domain }}')] },
		`"domain" under 'Fields to Send'`,
	],
	[
		'fields',
		{ values: [{ name: 'domain', value: 'x {{ $now }}' }] },
		`"domain" under 'Fields to Send'`,
	],
	['fields', { values: [{ name: '{{ $now }}', value: 'x' }] }, `A name under 'Fields to Send'`],
	['fields', { values: [{ name: '', value: '{{ $now }}' }] }, "'Fields to Send'"],
	[
		'options',
		{ additionalParameters: { values: [{ name: 'domain', value: '{{\n$json.domain\n}}' }] } },
		`"domain" under 'Filters'`,
	],
	['options', { pagination: { values: { startCursor: '{{ $now }}' } } }, "'Start Cursor'"],
	['jsonBody', '{ "domain": "{{ $json.domain }}" }', "'JSON'"],
	['objectType', { __rl: true, mode: 'name', value: '{{ $now }}' }, "'Object Type'"],
])(
	'rejects an expression that is written as text in %s, such as %j, and names %s',
	(name, written, where) => {
		const { message, description } = problemOf(() => valueOf(name, written));
		expect(message).toContain(`${where} holds an expression as text: "{{`);
		expect(description).toContain('Switch its value from Fixed to Expression.');
		expect(description).toContain('write {{ "{{" }} in place of {{');
	},
);

it.each([
	'{{ $json.domain }}',
	'{{ $("Form").item.json.a | x }}',
	'{{ ["a", "b"] }}',
	'{{ DateTime.now() }}',
	'{{ "text" }}',
	'{{ `a` }}',
	'{{ 1 + 1 }}',
	'{{ -1 }}',
	'{{ true }}',
	'{{ new Date() }}',
	'{{ JSON.stringify({}) }}',
	'{{ ({ a: 1 }) }}',
	'{{ { a: 1 } }}',
	'{{a}} {{ Math.max(1, 2) }}',
])('rejects text that n8n could evaluate as an expression: %s', (text) => {
	const problem = problemOf(() => valueOf('options', { fileName: text }));
	expect(problem.message).toContain("'File Name' holds an expression as text");
});

it.each([
	'{{first_name}}',
	'{{ user.name }}',
	'{{ x | currency:"$" }}',
	'{{ "a" | upcase }}',
	'{{#each items}}',
	'{{> part}}',
	'{{! comment }}',
	'{{{ raw }}}',
	'{{ now() }}',
	'{{ order.date }}',
	'{{ }}',
	'}} {{',
])('accepts a template that n8n could not evaluate: %s', (text) => {
	expect(valueOf('options', { fileName: text })).toEqual({ fileName: text });
});

it.each([
	['fields', '={{ $json }}'],
	['fields', { assignments: [row('={{ $json.domain }}'), row('{ {1} }'), row('{{'), row(null)] }],
	['jsonBody', '{"a":{"b":{"c":1}}}'],
	// This template is meant for the service, not for n8n.
	['jsonBody', '{"text":"Hello {{first_name}}"}'],
])('accepts an expression, or text without an expression, in %s: %j', (name, written) => {
	expect(valueOf(name, written)).toEqual(written);
});
