// Finds mistakes that are visible only in the raw parameters, which contain expressions as the user wrote them.

import type { INodeProperties } from 'n8n-workflow';

import { isObject } from '../client/json';
import { InputProblem } from '../errors/node-errors';
import { shortName } from './parameter-builders';
import { findIncomplete, type Evaluate } from './incomplete-texts';
import { isEmpty, membersOf, shown, type GetParameter } from './read-parameters';

/** Returns the short display name of the parameter at a path, such as `options.requests.values.timeout`. */
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
	return shortName(label);
}

/** Checks whether the value at a path, or a parameter that contains it, is an expression. */
export function isExpression(rawParameters: unknown, path: string): boolean {
	let level = rawParameters;
	for (const key of path.split('.')) {
		if (isObject(level) || Array.isArray(level)) level = (level as Record<string, unknown>)[key];
	}
	return typeof level === 'string' && level.startsWith('=');
}

/**
 * Returns a version of `get` that throws InputProblem for an expression that returns nothing or an incomplete text, an
 * expression that was entered as fixed text, or an option that was left empty.
 */
export function refusingMistakes(
	get: GetParameter,
	rawParameters: Readonly<Record<string, unknown>>,
	properties: readonly INodeProperties[],
	evaluate: Evaluate,
): GetParameter {
	const refuseNothing = (value: unknown, path: string): void => {
		const isNothing = value === undefined || value === null;
		if (isNothing && isExpression(rawParameters, path)) throw givesNothing(path, properties, value);
	};
	return (name, fallback) => {
		// Omit the fallback for an expression, because n8n would return it if the expression returns nothing.
		const value = isExpression(rawParameters, name) ? get(name) : get(name, fallback);
		refuseNothing(value, name);
		const place = { written: rawParameters[name], value, path: name };
		refuseMistakesInside(place, properties, evaluate);
		const written = rawParameters.options;
		if (name !== 'options' || !isObject(value) || !isObject(written)) return value;
		for (const [option, asWritten] of Object.entries(written)) {
			refuseNothing(value[option], `options.${option}`);
			if (isEmpty(asWritten)) throw isLeftEmpty(`options.${option}`, properties);
			// An empty member of a group is no mistake, because n8n also stores members that the user left empty.
			for (const [member, inside] of Object.entries(membersOf(value[option]) ?? {}))
				refuseNothing(inside, `options.${option}.values.${member}`);
		}
		return value;
	};
}

/** Returns an error that advises on the input data first, because someone else may have written the expression. */
function givesNothing(path: string, properties: readonly INodeProperties[], value: unknown) {
	const label = labelOf(path, properties);
	return new InputProblem(
		`The expression of '${label}' returns nothing`,
		`Fill in the value that it reads, such as an empty cell, or leave this item out, for example with n8n's Filter. If it reads the wrong field, correct the expression of '${label}'. It returns ${String(value)}.`,
		[
			`The expression of '${label}' returns nothing for any item`,
			`Correct the expression of '${label}': most often it reads a field that the input does not have.`,
		],
	);
}

function isLeftEmpty(path: string, properties: readonly INodeProperties[]): InputProblem {
	const label = labelOf(path, properties);
	return new InputProblem(`The option '${label}' is empty`, `Fill in '${label}', or remove it.`);
}

/** A parameter or a part of it, as the user wrote it (`written`) and with its `value` for one input item. */
interface Place {
	written: unknown;
	value: unknown;
	path: string;
	/** Object that contains this part of the parameter, such as a row with a name and a value. */
	row?: unknown;
}

/** Throws InputProblem if any part is an expression entered as fixed text, or an expression with an incomplete text. */
function refuseMistakesInside(
	{ written, value, path, row }: Place,
	properties: readonly INodeProperties[],
	evaluate: Evaluate,
): void {
	if (isObject(written) || Array.isArray(written)) {
		for (const [key, inside] of Object.entries(written)) {
			const of = typeof value === 'object' ? (value as Fields | null)?.[key] : value;
			const place = { written: inside, value: of, path: `${path}.${key}`, row: written };
			refuseMistakesInside(place, properties, evaluate);
		}
		return;
	}
	if (typeof written !== 'string') return;
	const where = () => nameOfPlace(path, row, properties);
	if (!written.startsWith('=')) {
		const [expression] = (written.match(/\{\{.*?\}\}/gs) ?? []).filter(isExpressionOfN8n);
		if (expression === undefined) return;
		throw new InputProblem(
			`${where()} holds an expression as text: ${shown(expression)}`,
			'Switch its value from Fixed to Expression. n8n does not resolve a fixed value. If these braces are meant as text, switch to Expression too, and write {{ "{{" }} in place of {{.',
		);
	}
	const [name, text] = findIncomplete(value, written, evaluate) ?? [];
	if (text === undefined) return;
	throw new InputProblem(
		`${name ? `${shown(name)} in ` : ''}${where()} is incomplete: ${shown(text)}`,
		"Its expression joins text with a value that this item does not have. Fill in that value, such as an empty cell, or leave this item out, for example with n8n's Filter. If the expression reads the wrong field, correct it.",
	);
}

/** Checks whether {{ }} holds an n8n expression, not a template for the service such as {{ price | currency:"$" }}. */
function isExpressionOfN8n(text: string): boolean {
	const code = text.slice(2, -2).replace(/"[^"]*"|'[^']*'/g, '""');
	if (/\$[\w(]/.test(code)) return true;
	const isFiltered = /(^|[^|])\|([^|]|$)/.test(code);
	return !isFiltered && (BEGINS_WITH_LITERAL.test(code) || CALLS_FUNCTION.test(code));
}

const BEGINS_WITH_LITERAL = /^\s*(?:["`[(\d]|-\d|\{\s*["\w]+\s*:|(?:new|true|false)\b)/;
const CALLS_FUNCTION =
	/\b(?:DateTime|Date|Duration|Interval|Math|JSON|Object|Array|String|Number|Boolean|parseInt|parseFloat|encodeURIComponent)(?:\.\w+)*\(/;

/** Returns the name of a parameter or its part for an error, such as `"domain" under 'Fields to Send'`. */
function nameOfPlace(path: string, row: unknown, properties: readonly INodeProperties[]): string {
	const label = labelOf(path.replace(IN_ROW, ''), properties);
	const isInRow = IN_ROW.test(path) && isObject(row);
	const name = isInRow && !path.endsWith('.name') ? row.name : undefined;
	const part = isInRow && path.endsWith('.name') ? `A name under '${label}'` : `'${label}'`;
	return isEmpty(name) ? part : `${shown(name)} under '${label}'`;
}

type Fields = Readonly<Record<string, unknown>>;

/** Matches the end of a path that leads into a row, such as `.values.0.name`. */
const IN_ROW = /\.\w+\.\d+\.\w+$/;
