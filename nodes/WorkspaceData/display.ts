import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import type { Operation } from './operation-row';
import { operations } from './operations';
import { optionsProperty } from '../common/panel/fields';

/**
 * The parameters, shown for the chosen operations alone. n8n shows a parameter for every combination of the listed
 * resources and operations. Where that would include another operation, the parameter is repeated per operation name.
 */
export function displayFor(chosen: readonly Operation[], ...properties: INodeProperties[]) {
	const conditions = conditionsFor(chosen);
	return properties.flatMap((property) => conditions.map((show) => shownFor(property, show)));
}

type Condition = NonNullable<IDisplayOptions['show']>;

function shownFor(property: INodeProperties, condition: Condition): INodeProperties {
	const { displayOptions } = property;
	const show = { ...condition, ...displayOptions?.show };
	return { ...property, displayOptions: { ...displayOptions, show } };
}

function conditionsFor(chosen: readonly Operation[]): Condition[] {
	const names = distinct(chosen.map(({ operation }) => operation));
	const resources = distinct(chosen.map(({ resource }) => resource));
	const reached = operations.filter(
		(row) => names.includes(row.operation) && resources.includes(row.resource),
	);
	if (chosen.length > 0 && reached.length === chosen.length) {
		return [{ resource: resources, operation: names }];
	}
	return names.map((name) => {
		const rows = chosen.filter(({ operation }) => operation === name);
		return { resource: rows.map(({ resource }) => resource), operation: [name] };
	});
}

/** The Options collection of each operation, in the order of names. Operations with the same options share one. */
export function optionsFor(
	chosen: readonly Operation[],
	optionsOf: (row: Operation) => INodeProperties[],
): INodeProperties[] {
	const optionsKey = (row: Operation): string => JSON.stringify(optionsOf(row));
	return distinct(chosen.map(optionsKey)).flatMap((key) => {
		const group = chosen.filter((row) => optionsKey(row) === key);
		return displayFor(group, optionsProperty(optionsOf(group[0])));
	});
}

function distinct(values: string[]): string[] {
	return [...new Set(values)];
}
