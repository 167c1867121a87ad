import { updateDisplayOptions, type IDisplayOptions, type INodeProperties } from 'n8n-workflow';

import type { Operation } from './operation-row';
import { optionsProperty } from '../shared/panel/parameter-builders';

/**
 * The parameters, shown for the chosen operations alone: one for each name of an operation, since n8n shows a parameter for
 * every combination of the listed resources and operations.
 */
export function displayFor(chosen: readonly Operation[], ...properties: INodeProperties[]) {
	const conditions = conditionsFor(chosen);
	return properties.flatMap((property) =>
		conditions.flatMap((show) => updateDisplayOptions({ show }, [property])),
	);
}

type Condition = NonNullable<IDisplayOptions['show']>;

function conditionsFor(chosen: readonly Operation[]): Condition[] {
	const names = distinct(chosen.map(({ operation }) => operation));
	return names.map((name) => {
		const rows = chosen.filter(({ operation }) => operation === name);
		return { resource: rows.map(({ resource }) => resource), operation: [name] };
	});
}

/** Parameters that differ by operation. Operations with the same ones share them. */
export function displayEach(
	chosen: readonly Operation[],
	propertiesOf: (row: Operation) => INodeProperties[],
): INodeProperties[] {
	const keyOf = (row: Operation): string => JSON.stringify(propertiesOf(row));
	return distinct(chosen.map(keyOf)).flatMap((key) => {
		const same = chosen.filter((row) => keyOf(row) === key);
		return displayFor(same, ...propertiesOf(same[0]));
	});
}

/** The Options collection of each operation, in the order of names. */
export function optionsFor(
	chosen: readonly Operation[],
	optionsOf: (row: Operation) => INodeProperties[],
): INodeProperties[] {
	return displayEach(chosen, (row) => [optionsProperty(optionsOf(row))]);
}

function distinct(values: string[]): string[] {
	return [...new Set(values)];
}
