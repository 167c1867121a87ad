import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import type { Operation } from './operation-row';
import { operations } from './operations';
import { optionsProperty } from '../common/property';

/**
 * A parameter as often as n8n needs it to show it for the chosen operations and no other, besides its own conditions.
 * Once, as a rule: n8n combines `resource` and `operation` freely, so where that would reach another operation there is
 * one for each name.
 */
export function displayFor(chosen: readonly Operation[], property: INodeProperties) {
	const { displayOptions } = property;
	const shownFor = (show: NonNullable<IDisplayOptions['show']>): INodeProperties => ({
		...property,
		displayOptions: { ...displayOptions, show: { ...show, ...displayOptions?.show } },
	});
	const names = distinct(chosen.map(({ operation }) => operation));
	const resources = distinct(chosen.map(({ resource }) => resource));
	const reached = operations.filter(
		(row) => names.includes(row.operation) && resources.includes(row.resource),
	);
	if (chosen.length > 0 && reached.length === chosen.length) {
		return [shownFor({ resource: resources, operation: names })];
	}
	return names.map((name) => {
		const resource = chosen.filter((row) => row.operation === name).map((row) => row.resource);
		return shownFor({ resource, operation: [name] });
	});
}

/** The Options collection of each operation, in the order of names. Operations with the same options share one. */
export function optionsFor(
	chosen: readonly Operation[],
	optionsOf: (row: Operation) => INodeProperties[],
): INodeProperties[] {
	const keyOf = (row: Operation): string => JSON.stringify(optionsOf(row));
	return distinct(chosen.map(keyOf)).flatMap((key) => {
		const group = chosen.filter((row) => keyOf(row) === key);
		return displayFor(group, optionsProperty(optionsOf(group[0])));
	});
}

function distinct(values: string[]): string[] {
	return [...new Set(values)];
}
