import { isObject } from '../../client/envelope';
import { eachMember, findInside } from '../../client/raw-records';

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
export function keepFields(
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

/** What the object at `start` has of these fields: the names that lead to each, and its JSON as the service sent it. */
export function findFields(text: string, start: number, fields: readonly string[]) {
	const found = new Map<string, { path: string[]; json: string }>();
	eachMember(text, start, (name, from, to) => {
		if (fields.includes(name)) found.set(name, { path: [name], json: text.slice(from, to) });
	});
	for (const field of fields) {
		const path = field.split('.');
		const isInside = path.length > 1 && !found.has(field);
		const json = isInside ? findInside(text, start, path) : undefined;
		if (json !== undefined) found.set(field, { path, json });
	}
	return found;
}

/** Visits what a record that begins at `start` has of these fields, or of all, by their names. */
export function eachField(
	text: string,
	start: number,
	fields: readonly string[] | undefined,
	visit: (name: string, json: string) => void,
): void {
	if (fields === undefined)
		eachMember(text, start, (name, from, to) => visit(name, text.slice(from, to)));
	else for (const [name, { json }] of findFields(text, start, fields)) visit(name, json);
}
