import { updateDisplayOptions, type IDisplayOptions, type INodeProperties } from 'n8n-workflow';

import type { Operation } from './operation-row';
import { optionsProperty } from '../shared/panel/parameter-builders';

/**
 * Returns parameters that the panel shows only for the chosen operations. n8n shows a parameter for every combination
 * of its listed resources and operations. So each operation name gets its own copy of each parameter.
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

/** Returns parameters that differ by operation. Operations with the same parameters share one copy. */
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

/** Returns the parameter Options for each of the chosen operations, with its options sorted by name. */
export function optionsFor(
	chosen: readonly Operation[],
	optionsOf: (row: Operation) => INodeProperties[],
): INodeProperties[] {
	return displayEach(chosen, (row) => [optionsProperty(optionsOf(row))]);
}

function distinct(values: string[]): string[] {
	return [...new Set(values)];
}
