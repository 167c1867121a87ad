import { Workflow, type INodeTypes } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { findIncomplete } from '../../../../nodes/shared/panel/incomplete-texts.ts';

const nodeType = { description: { properties: [] } };
const workflow = new Workflow({
	nodes: [{ id: '1', name: 'Node', type: 't', typeVersion: 1, position: [0, 0], parameters: {} }],
	connections: {},
	active: false,
	nodeTypes: { getByNameAndVersion: () => nodeType } as unknown as INodeTypes,
});

/**
 * Returns the incomplete text that an expression produces for an input item, such as "https://undefined". Returns
 * undefined if the text is complete. n8n evaluates the expression.
 */
function incomplete(written: string, json: object): string | undefined {
	const evaluate = (expression: string): unknown =>
		workflow.expression.resolveSimpleParameterValue(
			`=${expression}`,
			{},
			null,
			0,
			0,
			'Node',
			[{ json: json as never }],
			'manual',
			{},
		);
	return findIncomplete(evaluate(written.slice(1)), written, evaluate)?.join(': ');
}

describe('incomplete text', () => {
	it.each<[written: string, found: string, json?: object]>([
		[`={{ 'https://' + $json.website }}`, ': https://undefined'],
		[`={{ 'https://' + $json.website }}`, ': https://null', { website: null }],
		[`={{ 'https://' + $json.website }}`, ': https://', { website: '' }],
		[`={{ "https://" + $json["web site"].trim() }}`, ': https://', { 'web site': ' ' }],
		[`={{ 'https://' + ($json.website ?? '') }}`, ': https://'],
		['={{ `https://${$json.website}` }}', ': https://undefined'],
		['={{ `https://${ $json.website }/` }}', ': https:///', { website: '' }],
		['=https://{{ $json.website }}', ': https://'],
		['=https://{{ $json.website }}', ': https://', { website: null }],
		[`=https://{{ $json.website || '' }}/about`, ': https:///about'],
		['=companies-{{ $json.region }}.csv', ': companies-.csv'],
		[`={{ $json.street + ', ' + $json.city }}`, ': Main St, undefined', { street: 'Main St' }],
		[`={{ $json.street + ', ' + $json.city }}`, ': ,', { street: '', city: '' }],
		[`={{ 'custom_' + $json.type }}`, ': custom_undefined'],
		['={{ String($json.domain) }}', ': undefined'],
		[`={{ ('https://' + $json.website).toUpperCase() }}`, ': HTTPS://UNDEFINED'],
		[`={{ $json.a === undefined ? 'https://' + $json.b : '' }}`, ': https://undefined'],
		[
			`={{ $json.sites.map((one) => 'https://' + one.url) }}`,
			'0: https://undefined',
			{ sites: [{}] },
		],
		['={ "website": "https://{{ $json.website }}", "name": "x" }', 'website: https://'],
		[`={ "website": "{{ 'https://' + $json.website }}" }`, 'website: https://undefined'],
		[
			`={{ JSON.stringify({ a: null, of: [{ url: 'https://' + $json.b }] }) }}`,
			'url: https://undefined',
		],
		[`={{ { url: 'https://' + $json.b, type: 'x' } }}`, 'url: https://', { b: '' }],
		[`={ "a": null, "url": "{{ 'https://' + $json.b }}" }`, 'url: https://null', { b: null }],
		[`={{ { a: null, url: 'https://' + $json.b } }}`, 'url: https://null', { b: null }],
	])('finds incomplete text in the result of %s: %s', (written, found, json = {}) => {
		expect(incomplete(written, json)?.trim()).toBe(found.trim());
	});
});

describe('complete text', () => {
	it.each<[written: string, json?: object]>([
		[`={{ 'https://' + $json.website }}`, { website: 'a.example' }],
		[`={{ 'https://' + $json.website }}`, { website: 'undefined.example' }],
		[`={{ 'Company: ' + $json.name.toLowerCase() }}`, { name: 'Null GmbH' }],
		[`={{ 'Note: ' + $json["a note"] }}`, { 'a note': 'its type is undefined' }],
		[`={{ $json.sites.map((one) => 'to ' + one.url) }}`, { sites: [{ url: 'null' }] }],
		['={{ $json.status }}', { status: 'null' }],
		['={{ $json.website }}', { website: 'https://' }],
		['=https://{{ $json.website }}', { website: 0 }],
		[`={{ 'a null ' + $json.name }}`, { name: 'x' }],
		['=undefined {{ $json.name }}', { name: 'x' }],
		[`={{ $json.tier ?? 'none' }}`],
		[`={{ $json.tier ? 'premium' : 'basic' }}`],
		[`=Report {{ $json.isDraft ? '(draft)' : '' }}`],
		[`=Company {{ $json.name ?? 'unknown' }}`],
		[`={{ $json.first + ' ' + $json.last }}`, { first: '', last: '' }],
		[`={{ 'nullify ' + $json.name }}`, { name: 'annulled' }],
		['=fixed'],
		['={{ 5 }}'],
		['={{ $json }}', { a: null, b: undefined }],
		['={{ JSON.stringify($json) }}', { a: null, b: [null, 1] }],
		[`={{ 'All: ' + JSON.stringify($json) }}`, { a: null, b: [1, null, 2] }],
		['={ "a": null, "b": "{{ $json.b }}" }', { b: 'x' }],
		['={ "type": "x", "b": "{{ $json.b }}" }', { b: '' }],
		['={{ $now.toISO() }}'],
	])('accepts the result of %s for the item %j as complete', (written, json = {}) => {
		expect(incomplete(written, json)).toBeUndefined();
	});

	it('accepts a value that contains itself, as n8n objects can', () => {
		const value: Record<string, unknown> = { text: 'undefined' };
		value.self = value;
		expect(findIncomplete(value, '={{ $json.x }}', () => value)).toBeUndefined();
	});
});
