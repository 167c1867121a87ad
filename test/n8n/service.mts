/** Helpers for the records of the sandbox (the simulated service) and for the companies in its requests. */
import type { ObjectType, Sandbox } from '../sandbox/types.mts';

type Json = Record<string, unknown>;

/** Returns the ids of all records of an object type in the sandbox. */
export function idsHeld(sandbox: Sandbox, objectType: ObjectType = 'company'): string[] {
	return [...sandbox.records(objectType)].map(({ id }) => String(id));
}

/** Returns the version of a record as text: its id and its date. Each change of a record makes a new version. */
export const versionOf = ({ id, updated_at }: Json): string =>
	`${String(id)} ${String(updated_at)}`;

/** Returns the current version of each company in the sandbox, except the versions in `existing`. */
export function versionsHeld(sandbox: Sandbox, existing?: ReadonlySet<string>): string[] {
	return [...sandbox.records('company')]
		.map(versionOf)
		.filter((version) => !existing?.has(version));
}

/** Returns the field `domain` of each request body or item. */
export const domainsOf = (bodies: unknown[]): string[] =>
	bodies.map((body) => (body as { domain: string }).domain);

/** Returns made-up companies to enrich, such as `{ domain: 'name-000.example' }`. */
export function companiesNamed(name: string, count: number, from = 0): Array<{ domain: string }> {
	return Array.from({ length: count }, (_, index) => ({
		domain: `${name}-${String(from + index).padStart(3, '0')}.example`,
	}));
}
