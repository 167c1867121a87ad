import type { INodeProperties } from 'n8n-workflow';

import { isObject } from '../client/json';
import { LIST_PARAMETERS } from '../lists/page';
import { InputProblem } from '../errors/node-errors';
import { isBlank, isEmpty, optionalText, refuseLostValues, shown } from './read-parameters';
import { text } from './parameter-builders';

/** Names of the paging parameters that the node itself sets, in lower case. A filter cannot have such a name. */
const RESERVED = new Set<string>([...LIST_PARAMETERS, 'sortkey']);

/** Returns a parameter with rows, stored as `{values: [{name, value}]}`. `description` describes a row's value. */
export function namedRows(
	property: Omit<INodeProperties, 'type'>,
	noun: 'Field' | 'Filter',
	[name, value]: readonly [exampleName: string, exampleValue: string],
	description: string,
): INodeProperties {
	const values = [
		text('Name', 'name', {
			placeholder: `e.g. ${name}`,
			description: `Name of the ${noun.toLowerCase()} in the API`,
		}),
		text('Value', 'value', { placeholder: `e.g. ${value}`, description }),
	];
	return {
		...property,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: `Add ${noun}`,
		options: [{ displayName: noun, name: 'values', values }],
	};
}

/** Option Filters: additional parameters that are sent unchanged with every request for a page. */
export const additionalParametersOption = namedRows(
	{
		displayName: 'Filters (Additional Parameters)',
		name: 'additionalParameters',
		// The option has no row at first, because n8n cannot set default rows inside Options.
		default: {},
		description:
			"Filters and other parameters that your service accepts. They are sent with every request for a page. The service's specification lists none, so ask its support which filters exist.",
	},
	'Filter',
	['status', 'open'],
	'Value of the filter. An expression keeps its own type: number, boolean or list.',
);

/** Converts rows to an object, with values from `read`. Throws InputProblem if a name is missing or occurs twice. */
export function readRows<T extends { name?: unknown }>(
	rows: readonly T[],
	where: 'Filters' | 'Fields to Send',
	read: (name: string, row: T) => unknown,
): Record<string, unknown> {
	const found = new Map<string, unknown>();
	for (const [index, row] of rows.entries()) {
		const name = optionalText(row.name, `${where}: Name`);
		if (name === undefined) {
			throw new InputProblem(
				`Row ${index + 1} of '${where}' has no name`,
				'Enter a name, or remove the row.',
			);
		}
		if (found.has(name)) {
			throw new InputProblem(
				`${shown(name)} is listed twice in '${where}'`,
				'Remove one of them. To send several values, use an expression that returns a list, for example {{ ["a", "b"] }}.',
			);
		}
		found.set(name, read(name, row));
	}
	return Object.fromEntries(found);
}

/** Reads the option Filters. Returns undefined if the user set no filter. Throws InputProblem for an invalid filter. */
export function readAdditionalParameters(
	value: unknown,
	goesInto: 'address' | 'body',
): Record<string, unknown> | undefined {
	const rows = parametersOf(value);
	const found = readRows(rows, 'Filters', (name, row) => valueOf(name, row.value, goesInto));
	return rows.length === 0 ? undefined : found;
}

function valueOf(name: string, value: unknown, goesInto: 'address' | 'body'): unknown {
	if (RESERVED.has(name.toLowerCase())) {
		throw new InputProblem(
			`The filter ${shown(name)} is set by this node`,
			'It determines the next page. Remove it, and use the parameters and options of this node for type, order and limit.',
		);
	}
	if (!canBeSent(value, goesInto)) {
		throw new InputProblem(
			`The filter ${shown(name)} has a value that cannot be sent`,
			`Use ${goesInto === 'address' ? 'text, a number, true, false or a list of them' : 'text, a number, true, false, a list or an object'}, or remove it. It is ${shown(value)} now.`,
		);
	}
	refuseLostValues(value, { what: 'filter', name });
	return value;
}

function parametersOf(value: unknown): Array<Record<string, unknown>> {
	if (isEmpty(value)) return [];
	const rows = isObject(value) ? (value.values ?? []) : value;
	if (Array.isArray(rows) && rows.every(isObject)) {
		// Ignore rows that were added and left empty.
		return rows.filter(({ name, value: written }) => name !== '' || written !== '');
	}
	throw new InputProblem(
		"'Filters' must be rows with a name and a value",
		`Remove the option 'Filters' and add its rows again. It is ${shown(value)} now.`,
	);
}

function canBeSent(value: unknown, goesInto: 'address' | 'body'): boolean {
	const isPlain = (one: unknown): boolean =>
		typeof one === 'string' ? !isBlank(one) : typeof one === 'boolean' || Number.isFinite(one);
	if (isPlain(value)) return true;
	if (goesInto === 'body') return typeof value === 'object' && value !== null;
	return Array.isArray(value) && value.length > 0 && value.every(isPlain);
}
