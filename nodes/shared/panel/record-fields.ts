import { isObject } from '../client/json';
import { shown } from './read-parameters';
import { eachMember, findInside } from '../client/raw-records';

type Fields = Readonly<Record<string, unknown>>;

/** The names that lead to a field: `address.city` is inside `address`, unless the record has a field of that very name. */
function pathTo(record: Fields, field: string): string[] {
	return Object.hasOwn(record, field) ? [field] : field.split('.');
}

/** Whether a record has a field, by its name or inside an object. */
export function hasField(record: Fields, field: string): boolean {
	let level: unknown = record;
	return pathTo(record, field).every((name) => {
		if (!isObject(level) || !Object.hasOwn(level, name)) return false;
		level = level[name];
		return true;
	});
}

/** A record with the named fields that it has, in their order and where they stand in it; as it is where none are named. */
export function pickFields(
	record: Record<string, unknown>,
	fields: readonly string[] | undefined,
): Record<string, unknown> {
	if (fields === undefined) return record;
	const kept: Record<string, unknown> = {};
	for (const field of fields)
		if (hasField(record, field)) copy(record, pathTo(record, field), kept);
	return kept;
}

function copy(from: Fields, [name, ...inside]: string[], to: Record<string, unknown>): void {
	const isWhole = inside.length === 0;
	const value = isWhole ? from[name] : Object.hasOwn(to, name) ? to[name] : {};
	// A field may have any name, `__proto__` among them.
	const shown = { value, enumerable: true, writable: true, configurable: true };
	Object.defineProperty(to, name, shown);
	// What is kept as a whole has all that is inside it.
	if (isWhole || value === from[name]) return;
	copy(from[name] as Fields, inside, value as Record<string, unknown>);
}

/** Visits what a record that begins at `start` has of these fields, or of all: their names, and JSON as the service sent it. */
export function eachField(
	text: string,
	start: number,
	fields: readonly string[] | undefined,
	visit: (name: string, json: string) => void,
): void {
	const found = new Set<string>();
	eachMember(text, start, (name, from, to) => {
		if (fields?.includes(name) === false) return;
		found.add(name);
		visit(name, text.slice(from, to));
	});
	for (const field of fields ?? []) {
		const path = field.split('.');
		const isInside = path.length > 1 && !found.has(field);
		const json = isInside ? findInside(text, start, path) : undefined;
		if (json !== undefined) visit(field, json);
	}
}

/** Given all records that come out of a run, finds out which of the fields to keep none of them has. */
export class MissingFields {
	private readonly wanted = new Set<string>();
	private readonly found = new Set<string>();

	/** @param fields to keep of these records */
	lookAt(records: readonly Fields[], fields: readonly string[] = []): void {
		if (records.length === 0) return;
		for (const field of fields) {
			this.wanted.add(field);
			const isNew = !this.found.has(field) && records.some((one) => hasField(one, field));
			if (isNew) this.found.add(field);
		}
	}

	/** At the end, since one record is enough. */
	warn(run: { warn: (message: string) => void }): void {
		const missing = [...this.wanted].filter((field) => !this.found.has(field));
		if (missing.length === 0) return;
		const fields = missing.length === 1 ? 'field' : 'fields';
		const names = missing.map(shown).join(', ');
		run.warn(`No record has the ${fields} ${names}. Names are case-sensitive.`);
	}
}

/**
 * Names the fields of records with whole numbers that JavaScript may not hold exactly; empty where there are none.
 * @param fix what keeps them, in words that follow "To keep them,"
 */
export function aboutLongNumbers(records: readonly Fields[], fix: string): string {
	const fields = new Set<string>();
	for (const record of records) {
		for (const [name, value] of Object.entries(record)) if (isLong(value)) fields.add(name);
	}
	if (fields.size === 0) return '';
	const names = [...fields].map(shown).join(', ');
	return `Long numbers in ${names} may have lost their last digits. To keep them, ${fix}.`;
}

function isLong(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return Object.values(value).some(isLong);
	return Number.isInteger(value) && !Number.isSafeInteger(value);
}
