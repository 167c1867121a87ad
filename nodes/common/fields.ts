import type { INodeProperties } from 'n8n-workflow';

/** The option Fields, which both nodes offer. */
export const fieldsOption: INodeProperties = {
	displayName: 'Fields',
	name: 'fields',
	type: 'string',
	default: '',
	placeholder: 'e.g. name, domain, updated_at',
	description:
		'Comma-separated names of the fields to keep, in this order; everything else is left out. The ID is always kept: first, unless you name it elsewhere.',
};

/** A record with nothing but the named top-level fields, in their order; those it lacks are left out. */
export function keepFields(
	record: Readonly<Record<string, unknown>>,
	fields: readonly string[],
): Record<string, unknown> {
	const kept = fields.filter((field) => Object.hasOwn(record, field));
	return Object.fromEntries(kept.map((field) => [field, record[field]]));
}
