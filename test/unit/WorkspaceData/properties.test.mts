import { readFileSync } from 'node:fs';

import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import {
	asksRecordId,
	kindOf,
	type Endpoint,
	type Operation,
} from '../../../nodes/WorkspaceData/operation.ts';
import { findOperation, resources, rows as ROWS } from '../../../nodes/WorkspaceData/operations.ts';
import { readOutput } from '../../../nodes/WorkspaceData/answer.ts';
import { readCallParameters } from '../../../nodes/WorkspaceData/call/parameters.ts';
import { readListParameters } from '../../../nodes/WorkspaceData/list/parameters.ts';
import { readSyncParameters } from '../../../nodes/WorkspaceData/sync/parameters.ts';
import { readOptions, readRequestLimits } from '../../../nodes/common/parameters.ts';
import { properties } from '../../../nodes/WorkspaceData/properties.ts';
import { WorkspaceData } from '../../../nodes/WorkspaceData/WorkspaceData.node.ts';

/** The text of a file of the repository. */
const read = (file: string): string =>
	readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');

const NODE = { typeVersion: 1 };
const DESCRIPTION = new WorkspaceData().description;
/** As n8n describes the node to an AI agent. */
const TOOL = { ...DESCRIPTION, name: `${DESCRIPTION.name}Tool` };

/** Values of the panel as a person leaves it: what is given, and defaults for everything that then shows. */
function panel(given: INodeParameters, description = DESCRIPTION): INodeParameters {
	const values = NodeHelpers.getNodeParameters(properties, given, true, false, NODE, description);
	if (values === null) throw new Error('no parameters');
	return values;
}

/** The parameters that n8n shows for these values. */
function shownFor(given: INodeParameters, description = DESCRIPTION): INodeProperties[] {
	const values = panel(given, description);
	return properties.filter((property) =>
		NodeHelpers.displayParameter(values, property, NODE, description),
	);
}

const namesOf = (list: ReadonlyArray<{ name: string }>): string[] =>
	list.map(({ name }) => name).sort();

/** The options that can be added in the Options collection for these values. */
function optionsFor(given: INodeParameters): INodeProperties[] {
	const collections = shownFor(given).filter(({ name }) => name === 'options');
	expect(collections.length).toBeLessThanOrEqual(1);
	const options = (collections[0]?.options ?? []) as INodeProperties[];
	const values = panel(given);
	const siblings = (values.options ?? {}) as INodeParameters;
	return options.filter((option) =>
		NodeHelpers.displayParameter(siblings, option, NODE, DESCRIPTION, values),
	);
}

/** Reads an operation's parameters with the very code of the node; `used` gets the name of everything it asks for. */
function readWith(
	row: Operation,
	given: INodeParameters,
): { parameters: Set<string>; options: Set<string> } {
	const used = { parameters: new Set<string>(), options: new Set<string>() };
	if (asksRecordId(row)) given = { recordId: 'a', ...given };
	const values = panel({ resource: row.resource, operation: row.operation, ...given });
	const get = (name: string, fallback?: unknown): unknown => {
		used.parameters.add(name);
		if (name !== 'options') return values[name] ?? fallback;
		return new Proxy((values.options ?? {}) as object, {
			get: (target, key) => (used.options.add(String(key)), Reflect.get(target, key) as unknown),
		});
	};
	if (kindOf(row) === 'list') readListParameters(get, row, row.endpoints.v2 as Endpoint);
	else if (kindOf(row) === 'call') readCallParameters(get, row, { domain: 'example.com' });
	else if (kindOf(row) === 'changes') readSyncParameters(get, row);
	else if (kindOf(row) === 'read') {
		readOutput(readOptions(get));
		readRequestLimits(readOptions(get), { maxRetries: 1, timeoutMs: 1 });
	}
	return used;
}

/** Choices that between them make every parameter and option count. */
function choicesOf(row: Operation): INodeParameters[] {
	if (row.input === 'list') {
		return [
			{},
			{ returnAll: true },
			{ options: { pagination: 'page' } },
			{ options: { order: 'newestFirst' } },
			{ outputAs: 'ndjson' },
			{ outputAs: 'csv' },
		];
	}
	if (row.input === 'changes') {
		return [
			{},
			{ outputAs: 'ndjson' },
			{ outputAs: 'csv' },
			{ progress: 'given', outputAs: 'batch' },
		];
	}
	if (row.input === 'data') {
		return [
			{
				fields: { assignments: [{ name: 'a', value: 'b', type: 'string' }] },
				options: { includeInputFields: true },
			},
			{ dataToSend: 'json', jsonBody: '{"a":1}' },
			{ dataToSend: 'autoMapInputData' },
		];
	}
	return asksRecordId(row) ? [{ options: { includeInputFields: true } }] : [{}];
}

/** What the panel shows for an operation, besides resource, operation and options. */
function expectedParameters(row: Operation, given: INodeParameters): string[] {
	const recordId = asksRecordId(row) ? ['recordId'] : [];
	if (row.input === 'nothing') return recordId;
	if (row.input === 'data') {
		const source = { json: ['jsonBody'], autoMapInputData: [] }[String(given.dataToSend)];
		return [...recordId, 'dataToSend', ...(source ?? ['fields'])];
	}
	if (row.input === 'changes') {
		const shown = ['objectType', 'event', 'startFrom', 'outputAs', 'progress'];
		return given.progress === 'given' ? [...shown, 'checkpoint'] : shown;
	}
	return [
		'outputAs',
		'returnAll',
		...(given.returnAll === true ? [] : ['limit']),
		...(row.choosesObjectType ? ['objectType'] : []),
	];
}

describe.each(ROWS.map((row) => [`${row.resource}:${row.operation}`, row] as const))(
	'%s',
	(_name, row) => {
		const chosen = { resource: row.resource, operation: row.operation };

		it('shows its parameters and no foreign ones', () => {
			for (const given of choicesOf(row)) {
				expect(namesOf(shownFor({ ...chosen, ...given }))).toEqual(
					[
						'resource',
						'operation',
						...(kindOf(row) === 'confirm' ? [] : ['options']),
						...(row.repeat === 'billed' ? ['billedNotice'] : []),
						...expectedParameters(row, given),
					].sort(),
				);
			}
		});

		it('shows each parameter that the code reads, and reads each that it shows', () => {
			const shown = new Set<string>();
			const read = new Set<string>();
			for (const given of choicesOf(row)) {
				const here = namesOf(shownFor({ ...chosen, ...given }));
				here.forEach((name) => shown.add(name));
				for (const name of readWith(row, given).parameters) {
					read.add(name);
					expect(here).toContain(name);
				}
			}
			const unread = ['resource', 'operation', 'billedNotice'];
			expect([...shown].filter((name) => !unread.includes(name)).sort()).toEqual([...read].sort());
		});

		it('offers each option that the code reads, and reads each that it offers', () => {
			const offered = new Set<string>();
			const read = new Set<string>();
			for (const given of choicesOf(row)) {
				optionsFor({ ...chosen, ...given }).forEach(({ name }) => offered.add(name));
				readWith(row, given).options.forEach((name) => read.add(name));
			}
			expect([...offered].sort()).toEqual([...read].sort());
		});

		it('can be read as the panel leaves it, apart from the data to send', () => {
			const given = kindOf(row) === 'call' ? choicesOf(row)[0] : {};
			expect(() => readWith(row, given)).not.toThrow();
		});

		it('reads each option at the default that adding it sets', () => {
			for (const option of optionsFor(chosen)) {
				const pageOnly = ['page', 'sortKey'].includes(option.name);
				const options = {
					[option.name]: option.default,
					...(pageOnly ? { pagination: 'page' } : {}),
				};
				for (const given of choicesOf(row).slice(0, 1)) {
					expect(() => readWith(row, { ...given, options } as INodeParameters)).not.toThrow();
				}
			}
		});
	},
);

describe('the notice of operations that may be billed', () => {
	it('leads to what the docs promise about it', () => {
		const notice = properties.find(({ type }) => type === 'notice');
		const link = /href="([^"]*)"/.exec(notice?.displayName ?? '')?.[1] ?? '';
		const [address, heading] = link.split('#');
		const { homepage } = JSON.parse(read('package.json')) as { homepage: string };
		expect(address.startsWith(`${homepage}/docs/`)).toBe(true);
		const headings = [...read(address.slice(homepage.length + 1)).matchAll(/^## (.*)$/gm)];
		expect(headings.map(([, text]) => text.toLowerCase().replaceAll(' ', '-'))).toContain(heading);
	});
});

describe('a list as a tool of an AI agent', () => {
	it('offers the same but for files, which a model does not get', () => {
		for (const { resource, operation } of ROWS.filter(({ input }) => input === 'list')) {
			const [inNode, inTool] = [DESCRIPTION, TOOL].map((description) =>
				shownFor({ resource, operation }, description),
			);
			expect(namesOf(inTool)).toEqual(namesOf(inNode));
			const outputsOf = (list: INodeProperties[]) =>
				list.find(({ name }) => name === 'outputAs')?.options?.map(({ name }) => name);
			expect(outputsOf(inNode)).toEqual(['CSV Files', 'Items', 'NDJSON Files', 'Pages']);
			expect(outputsOf(inTool)).toEqual(['Items', 'Pages']);
		}
	});
});

describe('resource and operation', () => {
	it('offer exactly the operations of the table', () => {
		for (const { value: resource } of resources) {
			const lists = shownFor({ resource }).filter(({ name }) => name === 'operation');
			expect(lists).toHaveLength(1);
			expect(lists[0].options?.map((option) => 'value' in option && option.value)).toEqual(
				ROWS.filter((row) => row.resource === resource)
					.sort((a, b) => a.name.localeCompare(b.name))
					.map((row) => row.operation),
			);
			expect(findOperation(resource, String(lists[0].default))).toBeDefined();
		}
	});

	it('are named in the order that people look for them', () => {
		for (const { name, options } of properties.filter(({ type }) => type === 'options')) {
			const names = (options ?? []).map((option) => option.name);
			expect([name, names]).toEqual([name, [...names].sort((a, b) => a.localeCompare(b))]);
		}
	});

	it('start with an operation that exists', () => {
		const { resource, operation } = panel({});
		expect(findOperation(String(resource), String(operation))).toBeDefined();
	});
});

describe('Fields to Send', () => {
	it.each([
		['the node', DESCRIPTION, 'assignmentCollection'],
		['a tool', TOOL, 'fixedCollection'],
	])('of %s is once there, in the form that works for it', (_name, description, type) => {
		const shown = shownFor({ resource: 'company', operation: 'enrich' }, description);
		expect(shown.filter(({ name }) => name === 'fields').map((each) => each.type)).toEqual([type]);
	});

	it('of a workflow that was made with rows of name and value is still read', () => {
		const fields = { values: [{ name: 'a', value: 'b' }] };
		const values = panel({ resource: 'company', operation: 'enrich', fields });
		expect(values.fields).toEqual(fields);
	});
});

describe('the subtitle', () => {
	it('says for each operation the names that people chose', () => {
		const map = /\((\{.*\})\)/.exec(DESCRIPTION.subtitle ?? '')?.[1] ?? '{}';
		const subtitles = JSON.parse(map) as Record<string, string>;
		expect(Object.keys(subtitles)).toHaveLength(ROWS.length);
		expect(subtitles).toMatchObject({
			'company:getAll': 'Get Many: Company',
			'workspace:whoAmI': 'Who Am I: Workspace',
		});
	});
});

describe('the actions', () => {
	const actions = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options = [] }) => options as Array<{ value: string; action: string }>);

	it('tell a model what may be billed, and nothing else', () => {
		for (const { value, action } of actions) {
			const isBilled = ROWS.some((row) => row.operation === value && row.repeat === 'billed');
			expect(action.endsWith(' (may be billed)'), action).toBe(isBilled);
		}
	});

	it('have no articles, by the guidelines of n8n', () => {
		expect(actions.filter(({ action }) => /\b(a|an|the)\b/i.test(action))).toEqual([]);
	});
});

describe('every parameter', () => {
	const nested = (list: readonly INodeProperties[]): INodeProperties[] =>
		list.flatMap((property) => [
			property,
			...(property.options ?? []).flatMap((option) =>
				'values' in option ? nested(option.values) : 'type' in option ? nested([option]) : [],
			),
		]);

	it('has a title, and a description or hint unless it is Resource, Operation, Options or a notice', () => {
		for (const { name, displayName, description, hint } of nested(properties)) {
			expect(displayName).toMatch(/^[A-Z]/);
			if (!['resource', 'operation', 'options', 'values', 'billedNotice'].includes(name)) {
				expect(description ?? hint, name).toMatch(/^[A-Z]/);
			}
		}
	});

	it('shows with one operation at least', () => {
		const shown = ROWS.flatMap((row) =>
			choicesOf(row).flatMap((given) =>
				[DESCRIPTION, TOOL].flatMap((description) =>
					shownFor({ resource: row.resource, operation: row.operation, ...given }, description),
				),
			),
		);
		expect(properties.filter((property) => !shown.includes(property))).toEqual([]);
	});
});
