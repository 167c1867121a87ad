import { isObject } from '../client/json';
import { shown } from './read-parameters';
import { eachMember, findInside } from '../client/raw-records';

type Fields = Readonly<Record<string, unknown>>;

/** Returns the path to a field: `address` and `city` for `address.city`, unless a field has this exact name. */
function pathTo(record: Fields, field: string): string[] {
	return Object.hasOwn(record, field) ? [field] : field.split('.');
}

/** Checks whether a record has a field, by its exact name or inside an object. */
export function hasField(record: Fields, field: string): boolean {
	let level: unknown = record;
	return pathTo(record, field).every((name) => {
		if (!isObject(level) || !Object.hasOwn(level, name)) return false;
		level = level[name];
		return true;
	});
}

/** Returns a record with only these fields, in this order and inside the same objects. Undefined keeps all. */
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
	// Define the field instead of assigning it, because it may have the name `__proto__`.
	const shown = { value, enumerable: true, writable: true, configurable: true };
	Object.defineProperty(to, name, shown);
	// Skip a field inside an object that was already copied as a whole.
	if (isWhole || value === from[name]) return;
	copy(from[name] as Fields, inside, value as Record<string, unknown>);
}

/** Calls `visit` with the name and the JSON text of each of the `fields` (default: all) in the record at `start`. */
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

/** Finds names in the option Fields or Output Fields that do not occur in any record of a run. */
export class MissingFields {
	private readonly wanted = new Set<string>();
	private readonly found = new Set<string>();

	/** Checks which of the fields to keep occur in these records. */
	lookAt(records: readonly Fields[], fields: readonly string[] = []): void {
		if (records.length === 0) return;
		for (const field of fields) {
			this.wanted.add(field);
			const isNew = !this.found.has(field) && records.some((one) => hasField(one, field));
			if (isNew) this.found.add(field);
		}
	}

	/**
	 * Warns about fields that no record has. Call it at the end, because even the last record may contain a field that
	 * was missing so far.
	 */
	warn(run: { warn: (message: string) => void }): void {
		const missing = [...this.wanted].filter((field) => !this.found.has(field));
		if (missing.length === 0) return;
		const fields = missing.length === 1 ? 'field' : 'fields';
		const names = missing.map(shown).join(', ');
		run.warn(`No record has the ${fields} ${names}. Names are case-sensitive.`);
	}
}

/**
 * Returns a hint that names the fields with integers above 2^53, which may have lost digits, or an empty text.
 * @param fix how to keep the digits, as text that follows "To keep them,"
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
