// nodes/shared/panel/: parameters that both nodes show, and functions that read and check their values.

import { DateTime } from 'luxon';

import { isObject } from '../client/json';
import { formInJson, WrittenNumber } from '../client/exact-json';
import { shorten } from '../client/secrets';
import { timeOf } from '../lists/dates';
import { InputProblem } from '../errors/node-errors';
import { shortName, type Choice } from './parameter-builders';

/** Returns the value of a parameter for one input item, with expressions resolved. */
export type GetParameter = (name: string, fallback?: unknown) => unknown;

/** Checks whether a value is undefined, null or empty text. */
export function isEmpty(value: unknown): value is undefined | null | '' {
	return value === undefined || value === null || value === '';
}

/** Checks whether a value is undefined, null, empty text, or text that contains only spaces. */
export function isBlank(value: unknown): boolean {
	return isEmpty(typeof value === 'string' ? value.trim() : value);
}

/** Returns a value as short text for an error, at most 60 characters. */
export function shown(value: unknown): string {
	if (isEmpty(value)) return 'empty';
	if (typeof value !== 'string' && typeof value !== 'object') return shorten(String(value), 60);
	try {
		const text = JSON.stringify(value);
		// Keep the closing quotation mark if the text is shortened.
		return typeof value === 'string' && text.length > 60
			? `${shorten(text, 59)}"`
			: shorten(text, 60);
	} catch {
		// An expression can return an object of n8n that contains itself, which JSON.stringify() rejects.
		return 'an object';
	}
}

function wrong(label: string, what: string, value: unknown, fix = `Change '${label}'`) {
	return new InputProblem(`'${label}' ${what}`, `${fix}. It is ${shown(value)} now.`);
}

/** Returns the error for two parameters that cannot be used together. `value` is the value of `label`. */
export function worksNotWith(label: string, value: unknown, other: string, fix = `'${other}'`) {
	// A switch that is a parameter cannot be removed, so advise the user to turn it off.
	const isOn = value === true || value === 'true';
	const remove = isOn
		? `Turn off '${label}'`
		: `Remove or change '${label}' (it is ${shown(value)})`;
	return new InputProblem(
		`'${label}' does not work with '${other}'`,
		`${remove}, or change ${fix}.`,
	);
}

/** Returns a whole number, also from text, which expressions often return. Throws InputProblem for other values. */
export function wholeNumber(
	value: unknown,
	label: string,
	minimum: number,
	maximum = Number.MAX_SAFE_INTEGER,
): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	const isWhole = typeof number === 'number' && Number.isSafeInteger(number);
	if (isWhole && number >= minimum && number <= maximum) return number;
	const most = maximum === Number.MAX_SAFE_INTEGER ? '' : ` and at most ${maximum}`;
	throw wrong(label, `must be a whole number of at least ${minimum}${most}`, value);
}

/** Reads true, false, "true" or "false". Returns `otherwise` for undefined. Throws InputProblem for other values. */
export function trueOrFalse(value: unknown, label: string, otherwise: boolean): boolean {
	if (value === undefined) return otherwise;
	const found = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (found === true || found === 'true') return true;
	if (found === false || found === 'false') return false;
	throw wrong(label, 'must be true or false', value);
}

/**
 * Returns ms since 1970, with microseconds as a fraction, for a date object, ISO or SQL text, or a number. Text without
 * a time zone is in `timezone`. Throws InputProblem, also for a local time that occurs twice or never.
 */
export function dateAndTime(
	value: unknown,
	label: string,
	timezone: string,
	otherwise = `remove '${label}'`,
): number {
	const ms = momentOf(value, label, timezone);
	// A number can be too large for a date.
	if (ms !== null && !Number.isNaN(new Date(ms).getTime())) return ms;
	const fix = `Write for example 2026-11-30T09:00, or ${otherwise}`;
	throw wrong(label, 'must be a date and time', value, fix);
}

function momentOf(value: unknown, label: string, timezone: string): number | null {
	if (typeof value === 'number') return timeOf(value);
	if (DateTime.isDateTime(value) || Object.prototype.toString.call(value) === '[object Date]') {
		return Number(value);
	}
	return typeof value === 'string' ? momentOfText(value.trim(), label, timezone) : null;
}

function momentOfText(text: string, label: string, zone: string): number | null {
	const ms = /^[\d.]+$/.test(text) ? timeOf(text) : null;
	if (ms !== null) return ms;
	// Without this check, "2026" and "09:00" would be dates too.
	if (!/^\d{4}-?\d\d-?\d\d(?!\d)/.test(text)) return null;
	for (const form of ['fromISO', 'fromSQL'] as const) {
		const found = DateTime[form](text, { zone, setZone: true });
		if (!found.isValid) continue;
		refuseTwoMoments(found, DateTime[form](text, { zone: 'utc', setZone: true }), label);
		const [, beyondMs = ''] = /:\d\d[.,]\d{3}(\d+)/.exec(text) ?? [];
		return found.toMillis() + Number(`0.${beyondMs}`);
	}
	return null;
}

/**
 * Throws InputProblem if a local time occurs twice or does not exist, because the clocks change.
 * @param written the same text read in UTC, where every time exists once
 */
function refuseTwoMoments(found: DateTime, written: DateTime, label: string): void {
	const localTime = (date: DateTime) => date.toISO({ ...SHORT, includeOffset: false });
	const isLeftOut = localTime(found) !== localTime(written);
	const moments = found.getPossibleOffsets();
	if (!isLeftOut && moments.length === 1) return;
	// If the clocks skip from 02:00 to 03:00, luxon reads 02:30 as 03:30. The user may have meant 01:30 instead.
	const movedMs = found.toMillis() + found.offset * 60_000 - written.toMillis();
	const [first, second] = isLeftOut ? [found.minus(movedMs), found] : moments;
	throw new InputProblem(
		`'${label}': ${localTime(written)} ${isLeftOut ? 'does not exist' : 'occurs twice'} in ${found.zoneName}`,
		`Write ${first.toISO(SHORT)} or ${second.toISO(SHORT)}. The clocks change there at that time.`,
	);
}

const SHORT = { suppressSeconds: true, suppressMilliseconds: true };

/** Returns the chosen value, even if the panel hides it now, or the default. Throws InputProblem if it is unknown. */
export function readChoice<T extends string>(value: unknown, from: Choice<T>): T {
	if (value === undefined) return from.default;
	const values = from.options.map((option) => option.value);
	if (values.includes(value as T)) return value as T;
	const fix = `Use one of: ${values.join(', ')}`;
	throw wrong(shortName(from.displayName), 'has a value that does not exist', value, fix);
}

/** Reads a parameter that has choices, or returns its default. Throws InputProblem for an unknown value. */
export function choiceOf<T extends string>(get: GetParameter, from: Choice<T>): T {
	return readChoice(get(from.name, from.default), from);
}

/** Returns text or a number as trimmed text, or undefined if it is empty. Throws InputProblem for other values. */
export function optionalText(value: unknown, label: string): string | undefined {
	if (value === undefined || value === null) return undefined;
	if (typeof value !== 'string' && typeof value !== 'number') {
		throw wrong(label, 'must be text', value);
	}
	return String(value).trim() || undefined;
}

/** Returns the values of all options in one object, including the members of all groups of options. */
export function readOptions(get: GetParameter): Record<string, unknown> {
	const options = get('options', {});
	if (!isObject(options)) return {};
	const members = Object.values(options).map((option) => membersOf(option));
	return Object.assign({}, options, ...members) as Record<string, unknown>;
}

/** Returns the members of a group of options by their names, or undefined if the option is not a group. */
export function membersOf(option: unknown): Record<string, unknown> | undefined {
	const values = isObject(option) ? (option.values ?? {}) : undefined;
	return isObject(values) ? values : undefined;
}

/**
 * Throws InputProblem if a value contains something that JSON cannot represent, such as an invalid date or a Set. Also
 * throws for an integer above 2^53, because it may have lost digits and could then identify another record.
 * @param otherwise additional advice for such an integer, appended to the sentence "Make it text …"
 */
export function refuseLostValues(
	given: unknown,
	{ what, name }: { what: string; name: string },
	otherwise = '',
): void {
	const value = formInJson(given);
	// An invalid date is null in JSON. If n8n could not read a date, the value is one of these texts.
	const isLostDate = value === null && given !== null;
	const isLostNumber = typeof value === 'number' && !Number.isFinite(value);
	if (isLostDate || isLostNumber || value === 'Invalid DateTime' || value === 'Invalid Date') {
		throw new InputProblem(
			`The ${what} ${shown(name)} is not a ${isLostNumber ? 'number' : 'date'} that can be sent`,
			`It is ${String(given)}. Check the expression or the node that it comes from.`,
		);
	}
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		throw new InputProblem(
			`The number in the ${what} ${shown(name)} is too large to be sent exactly`,
			`It arrived as ${String(value)}, but n8n keeps whole numbers exactly only up to ${Number.MAX_SAFE_INTEGER}, so its last digits may be wrong and mean another record. Make it text where it comes from, before n8n reads it as a number${otherwise}.`,
		);
	}
	// Compare type names and not constructors, because an expression may return objects of another JavaScript realm.
	const type = Object.prototype.toString.call(value).slice(8, -1);
	const isPrimitive = Object(value) !== value;
	if (isPrimitive ? typeof value === 'symbol' : !['Object', 'Array'].includes(type)) {
		throw new InputProblem(
			`The ${what} ${shown(name)} is of type ${type}, which cannot be sent`,
			'Make it text, a number, a list (for example with Array.from) or an object.',
		);
	}
	if (isPrimitive || value instanceof WrittenNumber) return;
	for (const [key, entry] of Object.entries(value as object)) {
		const inside = Array.isArray(value) ? `${name}[${key}]` : [name, key].filter(Boolean).join('.');
		refuseLostValues(entry, { what, name: inside }, otherwise);
	}
}
