/** What the sandbox holds and has got, as tests compare it. */
import type { ObjectType, Sandbox } from '../sandbox/types.mts';

type Json = Record<string, unknown>;

/** The ids of all records of a type. */
export function idsHeld(sandbox: Sandbox, objectType: ObjectType = 'company'): string[] {
	return [...sandbox.records(objectType)].map(({ id }) => String(id));
}

/** A record's id and date: each change makes another version. */
export const versionOf = ({ id, updated_at }: Json): string =>
	`${String(id)} ${String(updated_at)}`;

/** The versions of all companies that were not there before. */
export function versionsHeld(sandbox: Sandbox, existing?: ReadonlySet<string>): string[] {
	return [...sandbox.records('company')]
		.map(versionOf)
		.filter((version) => !existing?.has(version));
}

/** The domains in the bodies of requests, or in the fields of items. */
export const domainsOf = (bodies: unknown[]): string[] =>
	bodies.map((body) => (body as { domain: string }).domain);

/** So many companies to enrich. */
export function companiesNamed(name: string, count: number, from = 0): Array<{ domain: string }> {
	return Array.from({ length: count }, (_, place) => ({
		domain: `${name}-${String(from + place).padStart(3, '0')}.example`,
	}));
}
