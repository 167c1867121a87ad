import { NodeHelpers } from 'n8n-workflow';
import type { INodeParameters, INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { readOptions } from '../../../nodes/shared/panel/read-parameters.ts';
import { readRequestLimits } from '../../../nodes/shared/panel/request-options.ts';
import { readCall } from '../../../nodes/WorkspaceData/call/call-parameters.ts';
import { readListParameters } from '../../../nodes/WorkspaceData/list/list-parameters.ts';
import type { Operation } from '../../../nodes/WorkspaceData/operation-row.ts';
import { operations as ROWS } from '../../../nodes/WorkspaceData/operations.ts';
import { readSyncParameters } from '../../../nodes/WorkspaceData/sync/sync-parameters.ts';
import { choicesOf, DESCRIPTION, namesOf, NODE, panel, shownFor } from './panel.mts';
import { taskOf } from './parameters-support.mts';

/** Returns the options that a user can add if the panel has these values. */
function optionsFor(given: INodeParameters): INodeProperties[] {
	const collections = shownFor(given).filter(({ name }) => name === 'options');
	expect(collections.length, 'collections').toBeLessThanOrEqual(1);
	const options = (collections[0]?.options ?? []) as INodeProperties[];
	const values = panel(given);
	const siblings = (values.options ?? {}) as INodeParameters;
	return options.filter((option) =>
		NodeHelpers.displayParameter(siblings, option, NODE, DESCRIPTION, values),
	);
}

/**
 * Returns the name of an option, or the names of the members of an option group. For Keep Results, also returns the
 * name of the group, because the code reads the group as a whole too.
 */
function namesIn({ name, options = [], typeOptions }: INodeProperties): string[] {
	const [inside] = options as INodePropertyCollection[];
	if (inside?.values === undefined || typeOptions?.multipleValues === true) return [name];
	return [...(name === 'cache' ? [name] : []), ...inside.values.map((member) => member.name)];
}

/**
 * Reads the parameters of an operation with the code of the node. Returns the names of the parameters and options that
 * the code reads.
 */
function readWith(
	row: Operation,
	given: INodeParameters,
): { parameters: Set<string>; options: Set<string> } {
	const used = { parameters: new Set<string>(), options: new Set<string>() };
	const objectType = row.choosesObjectType && { objectType: 'ticket' };
	const own = Object.fromEntries((row.parameters ?? []).map(({ name }) => [name, 'a']));
	const values = panel({
		resource: row.resource,
		operation: row.operation,
		...own,
		...objectType,
		...given,
	});
	const get = (name: string, fallback?: unknown): unknown => {
		used.parameters.add(name);
		if (name !== 'options') return values[name] ?? fallback;
		return values.options ?? {};
	};
	// readOptions() returns one flat object, in which members of option groups stand beside other options.
	const readAll = () =>
		new Proxy(readOptions(get), {
			get: (target, key) => (used.options.add(String(key)), Reflect.get(target, key) as unknown),
		});
	const task = { ...taskOf({}, row, { domain: 'example.com' }), get };
	const withOptions = () => ({ ...task, options: readAll() });
	const read = {
		list: () => readListParameters(withOptions()),
		call: () => [get('previewOnly'), readCall(withOptions())],
		changes: () => readSyncParameters(withOptions(), 'UTC'),
		read: () => [readAll().fullResponse, readRequestLimits(readAll(), 1)],
		confirm: () => undefined,
	};
	read[row.kind]();
	return used;
}

describe.each(ROWS.map((row) => [`${row.resource}:${row.operation}`, row] as const))(
	'%s',
	(_name, row) => {
		const chosen = { resource: row.resource, operation: row.operation };

		it('shows exactly the parameters that the code reads, and the right notices, for each choice of the user', () => {
			for (const given of choicesOf(row)) {
				const shown = shownFor({ ...chosen, ...given });
				const ofType = (isNotice: boolean) =>
					namesOf(shown.filter(({ type }) => (type === 'notice') === isNotice));
				const read = [...readWith(row, given).parameters];
				expect(ofType(false)).toEqual(['operation', 'resource', ...read].sort());
				const isConfirmed = row.kind === 'changes' && given.progress !== 'given';
				const { dataToSend = 'defineBelow' } = given;
				const isOfFields = row.sendsData && dataToSend === 'defineBelow';
				const hasMore = isOfFields && row.operation === 'prospect';
				expect(ofType(true)).toEqual([
					...(row.repeat === 'billed' ? ['billedNotice'] : []),
					...(isOfFields ? ['fieldsExample'] : []),
					...(hasMore ? ['fieldsNotice'] : []),
					...(isConfirmed ? ['confirmNotice'] : []),
					...(row.kind === 'confirm' ? ['placeNotice'] : []),
				]);
			}
		});

		it('offers exactly the options that the code reads', () => {
			const offered = new Set<string>();
			const read = new Set<string>();
			for (const given of choicesOf(row)) {
				for (const option of optionsFor({ ...chosen, ...given }))
					for (const name of namesIn(option)) offered.add(name);
				readWith(row, given).options.forEach((name) => read.add(name));
			}
			expect([...offered].sort()).toEqual([...read].sort());
		});

		it('accepts the default value of each option that a user adds, except an empty date', () => {
			for (const option of optionsFor(chosen)) {
				const options = { [option.name]: option.default };
				const given = { ...choicesOf(row)[0], options } as INodeParameters;
				// The node rejects a date option that the user added and left empty.
				if (option.type === 'dateTime')
					expect(() => readWith(row, given)).toThrow(option.displayName.replace(/ \(.*/, ''));
				else expect(() => readWith(row, given)).not.toThrow();
			}
		});
	},
);
