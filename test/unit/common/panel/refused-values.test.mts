import type { INodeProperties } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { refusingNothing } from '../../../../nodes/common/panel/parameters.ts';
import { problemOf } from '../../WorkspaceData/parameters-support.mts';

const nothing = (label: string) => `The expression of '${label}' returns nothing`;

describe('refusingNothing', () => {
	const values = [{ name: 'timeout', displayName: 'Timeout (Ms)' }];
	const options = [
		{ name: 'page', displayName: 'Page' },
		{ name: 'rows' },
		{ name: 'requests', displayName: 'Requests', options: [{ name: 'values', values }] },
	];
	const group = (timeout: unknown) => ({ requests: { values: { timeout } } });
	const fewProperties = [
		{ name: 'limit', displayName: 'Limit' },
		{ name: 'options', options },
	];
	/** Reads a parameter, where the user wrote this and n8n makes that of it. */
	const read = (name: string, written: object, made: Record<string, unknown>): unknown => {
		const get = (one: string, fallback?: unknown) => (one in made ? made[one] : fallback);
		return refusingNothing(
			get,
			{ ...written },
			fewProperties as INodeProperties[],
		)(name, 'fallback');
	};

	it.each([
		['limit', '=a', undefined, nothing('Limit'), /^Fill in .*'Limit'.*undef/],
		['options', { page: '=a' }, { page: null }, nothing('Page'), /null\.$/],
		['options', { rows: '=a' }, {}, nothing('options.rows'), /undefined\.$/],
		['options', group('=a'), group(undefined), nothing('Timeout (Ms)'), /undefined\.$/],
		['options', group('=a'), group(null), nothing('Timeout (Ms)'), /null\.$/],
		['options', { page: null }, { page: null }, "The option 'Page' is empty", /^Fill/],
		['options', { page: '' }, { page: '' }, "The option 'Page' is empty", /^Fill in 'Page', or /],
		['other', '=a', null, nothing('other'), /null\.$/],
	])('refuses %s: %j that gives %j', (name, written, made, message, description) => {
		const problem = problemOf(() => read(name, { [name]: written }, { [name]: made }));
		expect(problem).toMatchObject({ message, description: expect.stringMatching(description) });
	});

	it.each([
		['limit', {}, {}, 'fallback'],
		['limit', { limit: '=a' }, { limit: 0 }, 0],
		['limit', { limit: 'a=' }, {}, 'fallback'],
		['options', { options: { page: '=a' } }, { options: { page: '' } }, { page: '' }],
		['options', { options: group('') }, { options: group('') }, group('')],
		['limit', { limit: 1, options: { page: '' } }, { limit: 1 }, 1],
	])('reads %s where there is something: %j, %j', (name, written, made, expected) => {
		expect(read(name, written, made)).toEqual(expected);
	});
});
