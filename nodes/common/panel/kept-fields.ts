import { isObject } from '../../client/envelope';
import { eachMember } from '../../client/raw-records';

type Fields = Readonly<Record<string, unknown>>;

/** How a name with dots may be taken apart, such as `address.city`: a field, and the name of one inside it. */
function partings(name: string): Array<[outer: string, inner: string]> {
	const dots = [...name.matchAll(/\./g)].map(({ index }) => index);
	return dots.map((dot) => [name.slice(0, dot), name.slice(dot + 1)]);
}

/** The names that lead to a field of a record: its own, or those of the objects around it; undefined where there is none. */
function pathTo(record: Fields, name: string): string[] | undefined {
	if (Object.hasOwn(record, name)) return [name];
	for (const [outer, inner] of partings(name)) {
		const inside = Object.hasOwn(record, outer) ? record[outer] : undefined;
		const rest = isObject(inside) ? pathTo(inside, inner) : undefined;
		if (rest !== undefined) return [outer, ...rest];
	}
	return undefined;
}

/** Whether a record has a field, by its name or as `address.city` inside an object. */
export function hasField(record: Fields, name: string): boolean {
	return pathTo(record, name) !== undefined;
}

/** A record with the named fields that it has, in their order and where they stand in it; as it is where none are named. */
export function keepFields(
	record: Record<string, unknown>,
	fields: readonly string[] | undefined,
): Record<string, unknown> {
	if (fields === undefined) return record;
	const kept: Record<string, unknown> = {};
	for (const field of fields) {
		const path = pathTo(record, field);
		if (path !== undefined) copy(record, path, kept);
	}
	return kept;
}

function copy(from: Fields, [name, ...rest]: string[], to: Record<string, unknown>): void {
	const value = from[name];
	if (rest.length === 0) return put(to, name, value);
	if (!Object.hasOwn(to, name)) put(to, name, {});
	// Chosen as a whole before, it has this field already.
	if (to[name] !== value) copy(value as Fields, rest, to[name] as Record<string, unknown>);
}

/** A field may have any name, `__proto__` among them. */
function put(to: Record<string, unknown>, name: string, value: unknown): void {
	Object.defineProperty(to, name, { value, enumerable: true, writable: true, configurable: true });
}

/** A field where it stands: the names of the objects around it and its own, and its value as the service sent it. */
interface FoundField {
	path: string[];
	json: string;
}

/** The fields that the object at `start` has, by their names, which reach into objects as in `keepFields`. */
export function findFields(text: string, start: number, fields: readonly string[]) {
	const found = new Map<string, FoundField>();
	const objects = new Map<string, number>();
	eachMember(text, start, (name, from, to) => {
		if (fields.includes(name)) found.set(name, { path: [name], json: text.slice(from, to) });
		if (text[from] === '{') objects.set(name, from);
	});
	for (const field of fields) {
		for (const [outer, inner] of found.has(field) ? [] : partings(field)) {
			const object = objects.get(outer);
			const inside = object && findFields(text, object, [inner]).get(inner);
			if (!inside) continue;
			found.set(field, { ...inside, path: [outer, ...inside.path] });
			break;
		}
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
