// What only the parameters as the user wrote them show, expressions unresolved.

import type { INodeProperties } from 'n8n-workflow';

import { isObject } from '../../client/envelope';
import { InputProblem } from '../errors/node-errors';
import { shortName } from './fields';
import { isEmpty, membersOf, shown, type GetParameter } from './read-parameters';

/** The name that users see, for example of `limit` or `options.requests.values.timeout`. */
function labelOf(path: string, properties: readonly INodeProperties[]): string {
	let level: ReadonlyArray<NonNullable<INodeProperties['options']>[number]> = properties;
	let label = path;
	for (const key of path.split('.')) {
		const found = level.filter(({ name }) => name === key);
		const [first] = found;
		if (first === undefined) break;
		if ('displayName' in first) label = first.displayName;
		level = found.flatMap((one) =>
			'values' in one ? one.values : ((one as INodeProperties).options ?? []),
		);
	}
	return label;
}

/** Whether n8n makes a parameter's value, and not the user: there may be an expression at any level above it. */
export function isExpression(rawParameters: unknown, path: string): boolean {
	let level = rawParameters;
	for (const key of path.split('.')) {
		if (isObject(level) || Array.isArray(level)) level = (level as Record<string, unknown>)[key];
	}
	return typeof level === 'string' && level.startsWith('=');
}

/**
 * The same parameters, but what only `rawParameters`, as the user wrote them, show to be a mistake is an InputProblem: an
 * expression that gives nothing, and an option that was added and left empty (as if they were not set, the node would do
 * something else without a word), and an expression that n8n takes for text.
 */
export function refusingMistakes(
	get: GetParameter,
	rawParameters: Readonly<Record<string, unknown>>,
	properties: readonly INodeProperties[],
): GetParameter {
	const refuseNothing = (value: unknown, path: string): void => {
		const isNothing = value === undefined || value === null;
		if (isNothing && isExpression(rawParameters, path)) throw givesNothing(path, properties, value);
	};
	return (name, fallback) => {
		// n8n gives the fallback for an expression that gives nothing as well.
		const value = isExpression(rawParameters, name) ? get(name) : get(name, fallback);
		refuseNothing(value, name);
		refuseUnresolved(rawParameters[name], name, properties);
		const written = rawParameters.options;
		if (name !== 'options' || !isObject(value) || !isObject(written)) return value;
		for (const [option, asWritten] of Object.entries(written)) {
			refuseNothing(value[option], `options.${option}`);
			if (isEmpty(asWritten)) throw isLeftEmpty(`options.${option}`, properties);
			// A member of a group may be empty: n8n fills in all of them.
			for (const [member, inside] of Object.entries(membersOf(value[option]) ?? {}))
				refuseNothing(inside, `options.${option}.values.${member}`);
		}
		return value;
	};
}

/** The person who runs it may have a sheet with an empty cell, and another one have written the expression. */
function givesNothing(path: string, properties: readonly INodeProperties[], value: unknown) {
	const label = labelOf(path, properties);
	return new InputProblem(
		`The expression of '${label}' returns nothing`,
		`Fill in what it reads, such as an empty cell, or leave this item out, for example with n8n's Filter. If it reads the wrong field, correct the expression of '${label}'. It returns ${String(value)}.`,
	);
}

function isLeftEmpty(path: string, properties: readonly INodeProperties[]): InputProblem {
	const label = labelOf(path, properties);
	return new InputProblem(`The option '${label}' is empty`, `Fill in '${label}', or remove it.`);
}

/** n8n hands over what was not switched to Expression as it is: it would be sent, and may be billed. */
function refuseUnresolved(
	written: unknown,
	path: string,
	properties: readonly INodeProperties[],
	row: unknown = {},
): void {
	if (isObject(written) || Array.isArray(written)) {
		for (const [key, inside] of Object.entries(written))
			refuseUnresolved(inside, `${path}.${key}`, properties, written);
		return;
	}
	if (typeof written !== 'string' || written.startsWith('=')) return;
	// Braces without n8n's own $ may be a template that the service is to get.
	const [expression] = /\{\{[^}]*\$.*?\}\}/s.exec(written) ?? [];
	if (expression === undefined) return;
	const label = shortName(labelOf(path.replace(IN_ROW, ''), properties));
	const isInRow = IN_ROW.test(path) && isObject(row);
	const name = isInRow && !path.endsWith('.name') ? row.name : undefined;
	const part = isInRow && path.endsWith('.name') ? `A name under '${label}'` : `'${label}'`;
	const where = isEmpty(name) ? part : `${shown(name)} under '${label}'`;
	throw new InputProblem(
		`${where} holds an expression as text: ${shown(expression)}`,
		'Switch its value from Fixed to Expression. As it is, n8n does not resolve it.',
	);
}

/** The end of a path that leads to a value in rows. */
const IN_ROW = /\.\w+\.\d+\.\w+$/;
