// nodes/shared/panel/: parameters that both nodes show, and functions that read and check their values.

import { DateTime } from 'luxon';

import { isObject } from '../client/json';
import { formInJson, WrittenNumber } from '../client/exact-json';
import { shorten } from '../client/secrets';
import { timeOf } from '../lists/dates';
import { InputProblem } from '../errors/node-errors';
import { shortName, type Choice } from './parameter-builders';

/** Gives the value of a parameter for one input item, expressions resolved. */
export type GetParameter = (name: string, fallback?: unknown) => unknown;

export function isEmpty(value: unknown): value is undefined | null | '' {
	return value === undefined || value === null || value === '';
}

/** The same, and also for text of spaces alone. */
export function isBlank(value: unknown): boolean {
	return isEmpty(typeof value === 'string' ? value.trim() : value);
}

/** How a value reads in an error text: short, and never a whole object. */
export function shown(value: unknown): string {
	if (isEmpty(value)) return 'empty';
	if (typeof value !== 'string' && typeof value !== 'object') return shorten(String(value), 60);
	try {
		const text = JSON.stringify(value);
		// What is cut keeps its quotes.
		return typeof value === 'string' && text.length > 60
			? `${shorten(text, 59)}"`
			: shorten(text, 60);
	} catch {
		// An expression may give something of n8n's own that leads back to itself.
		return 'an object';
	}
}

function wrong(label: string, what: string, value: unknown, fix = `Change '${label}'`) {
	return new InputProblem(`'${label}' ${what}`, `${fix}. It is ${shown(value)} now.`);
}

/** What is wrong with two parameters or options that exclude each other, the first of which has this value. */
export function worksNotWith(label: string, value: unknown, other: string, fix = `'${other}'`) {
	// A switch can only be turned off, and a drop-down always has a value.
	const isOn = value === true || value === 'true';
	const remove = isOn
		? `Turn off '${label}'`
		: `Remove or change '${label}' (it is ${shown(value)})`;
	return new InputProblem(
		`'${label}' does not work with '${other}'`,
		`${remove}, or change ${fix}.`,
	);
}

/** A whole number, also as text, since expressions often give that. Throws InputProblem for anything else. */
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

/** True or false, also as text; `otherwise` for undefined. Throws InputProblem for the rest, never taken for false. */
export function trueOrFalse(value: unknown, label: string, otherwise: boolean): boolean {
	if (value === undefined) return otherwise;
	const found = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (found === true || found === 'true') return true;
	if (found === false || found === 'false') return false;
	throw wrong(label, 'must be true or false', value);
}

/**
 * A moment in ms since 1970, microseconds as a fraction: of a date, of text in a standard form (in `timezone` where it
 * names none), or of a number as the service may write one (see `timeOf`). Throws InputProblem for anything else, also
 * for a local time that comes twice, or not at all, where clocks change.
 */
export function dateAndTime(
	value: unknown,
	label: string,
	timezone: string,
	otherwise = `remove '${label}'`,
): number {
	const ms = momentOf(value, label, timezone);
	// Where a number is too large, there is no such date.
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
	// Without this, "2026" and "09:00" would be dates too.
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

/** @param written the same text, read where no time is left out */
function refuseTwoMoments(found: DateTime, written: DateTime, label: string): void {
	const localTime = (date: DateTime) => date.toISO({ ...SHORT, includeOffset: false });
	const isLeftOut = localTime(found) !== localTime(written);
	const moments = found.getPossibleOffsets();
	if (!isLeftOut && moments.length === 1) return;
	// luxon moves a time that is left out by what the clocks are moved; as far before is the other side.
	const movedMs = found.toMillis() + found.offset * 60_000 - written.toMillis();
	const [first, second] = isLeftOut ? [found.minus(movedMs), found] : moments;
	throw new InputProblem(
		`'${label}': ${localTime(written)} ${isLeftOut ? 'does not exist' : 'occurs twice'} in ${found.zoneName}`,
		`Write ${first.toISO(SHORT)} or ${second.toISO(SHORT)}. The clocks change there at that time.`,
	);
}

const SHORT = { suppressSeconds: true, suppressMilliseconds: true };

/** One of the values that the panel offers, also where it hides one. Throws InputProblem for any other. */
export function readChoice<T extends string>(value: unknown, from: Choice<T>): T {
	if (value === undefined) return from.default;
	const values = from.options.map((option) => option.value);
	if (values.includes(value as T)) return value as T;
	const fix = `Use one of: ${values.join(', ')}`;
	throw wrong(shortName(from.displayName), 'has a value that does not exist', value, fix);
}

/** The same of a parameter that is no option. */
export function choiceOf<T extends string>(get: GetParameter, from: Choice<T>): T {
	return readChoice(get(from.name, from.default), from);
}

/** Text without spaces around it, also of a number; undefined when there is none. Throws InputProblem for anything else. */
export function optionalText(value: unknown, label: string): string | undefined {
	if (value === undefined || value === null) return undefined;
	if (typeof value !== 'string' && typeof value !== 'number') {
		throw wrong(label, 'must be text', value);
	}
	return String(value).trim() || undefined;
}

/** The Options collection of an operation, with the members of its groups beside the other options. */
export function readOptions(get: GetParameter): Record<string, unknown> {
	const options = get('options', {});
	if (!isObject(options)) return {};
	const members = Object.values(options).map((option) => membersOf(option));
	return Object.assign({}, options, ...members) as Record<string, unknown>;
}

/** What a group holds, by the names of its members; undefined for any other option. */
export function membersOf(option: unknown): Record<string, unknown> | undefined {
	const values = isObject(option) ? (option.values ?? {}) : undefined;
	return isObject(values) ? values : undefined;
}

/**
 * Throws InputProblem for what `value` holds that cannot be sent as it was meant: a number, a date, or what JSON has no form
 * for, such as a set. JavaScript holds integers up to 2^53 only: a larger one may have been another number, and so another
 * record.
 * @param otherwise what else the user can do, in words that follow "Make it text …"
 */
export function refuseLostValues(
	given: unknown,
	{ what, name }: { what: string; name: string },
	otherwise = '',
): void {
	const value = formInJson(given);
	// The texts are what n8n makes of a date that could not be read.
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
	// By its name: an expression may give objects of another realm.
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
