/** Content of the sandbox, and its requests, in forms that tests compare. */
import type { ObjectType, Sandbox } from '../sandbox/types.mts';

type Json = Record<string, unknown>;

/** Returns the ids of all records of a type. */
export function idsHeld(sandbox: Sandbox, objectType: ObjectType = 'company'): string[] {
	return [...sandbox.records(objectType)].map(({ id }) => String(id));
}

/** Returns a record's id and date. Each change makes a new version. */
export const versionOf = ({ id, updated_at }: Json): string =>
	`${String(id)} ${String(updated_at)}`;

/** Returns the versions of all companies, without the existing versions. */
export function versionsHeld(sandbox: Sandbox, existing?: ReadonlySet<string>): string[] {
	return [...sandbox.records('company')]
		.map(versionOf)
		.filter((version) => !existing?.has(version));
}

/** Returns the domains in the bodies of requests or in the fields of items. */
export const domainsOf = (bodies: unknown[]): string[] =>
	bodies.map((body) => (body as { domain: string }).domain);

/** Returns a number of companies to enrich. */
export function companiesNamed(name: string, count: number, from = 0): Array<{ domain: string }> {
	return Array.from({ length: count }, (_, index) => ({
		domain: `${name}-${String(from + index).padStart(3, '0')}.example`,
	}));
}
