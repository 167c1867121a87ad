import type { ILoadOptionsFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { readListEnvelope } from '../client/envelope';
import { listRequest } from '../lists/page';
import { InputProblem } from './errors';
import { loadForPanel } from './session';
import { readSource, type ChosenList } from './object-type';
import { isEmpty, shown, type GetParameter } from './parameters';

/** Records that the fields are looked for in: not every record has every field. */
const SAMPLE_RECORDS = 20;

/** The option that says which fields to keep. The node needs a `fieldsLoader` as `getFields` among its option loaders. */
export const fieldsOption: INodeProperties = {
	displayName: 'Field Names or IDs',
	name: 'fields',
	type: 'multiOptions',
	typeOptions: {
		loadOptionsMethod: 'getFields',
		loadOptionsDependsOn: ['resource', 'operation', 'objectType.value'],
		allowArbitraryValues: true,
	},
	default: [],
	builderHint: {
		propertyHint:
			'Names of top-level fields of the records. The service does not publish them: leave it out when unsure.',
	},
	description:
		'Fields to return, in this order. The ID is always included. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	hint: 'In an expression: names separated by commas, or a list of names',
};

/**
 * The fields to keep: names separated by commas, or a list of names, in the order given; else throws InputProblem. `id`
 * is always among them, first where it is not named. Undefined when nothing is chosen, which keeps all fields.
 */
export function readFields(value: unknown, label = 'Field Names or IDs'): string[] | undefined {
	if (isEmpty(value)) return undefined;
	const list = typeof value === 'string' ? value.split(',') : value;
	if (!Array.isArray(list) || !list.every((name) => typeof name === 'string')) {
		throw new InputProblem(
			`'${label}' must be names separated by commas, or a list of names`,
			`Write for example: name, domain, updated_at. It is ${shown(value)} now.`,
		);
	}
	const names = list.map((name: string) => name.trim()).filter(Boolean);
	if (names.length === 0) return undefined;
	return [...new Set(names.includes('id') ? names : ['id', ...names])];
}

/** A record with nothing but the named top-level fields, in their order, without those it lacks; else as it is. */
export function keepFields(
	record: Record<string, unknown>,
	fields: readonly string[] | undefined,
): Record<string, unknown> {
	if (fields === undefined) return record;
	const kept = fields.filter((field) => Object.hasOwn(record, field));
	return Object.fromEntries(kept.map((field) => [field, record[field]]));
}

/** The option loader for `fieldsOption`: the fields of a few records of the list that the panel's parameters choose. */
export function fieldsLoader(listOf: (get: GetParameter) => ChosenList) {
	return async function getFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const get = (name: string): unknown => this.getCurrentNodeParameter(name);
		return await loadForPanel(this, 'the list of fields', async (client, limits) => {
			const page = { limit: SAMPLE_RECORDS, sort: 'updated_at' } as const;
			const { body } = await client(listRequest(readSource(get, listOf(get)), page), limits);
			return fieldsOf(readListEnvelope(body).data.items);
		});
	};
}

/** In the order in which they first appear. */
export function fieldsOf(records: ReadonlyArray<Record<string, unknown>>): INodePropertyOptions[] {
	const examples = new Map<string, unknown>();
	for (const [name, value] of records.flatMap((record) => Object.entries(record))) {
		if (!examples.has(name) || isEmpty(examples.get(name))) examples.set(name, value);
	}
	return [...examples].map(([name, value]) => {
		const type = Array.isArray(value) ? 'list' : typeof value === 'string' ? 'text' : typeof value;
		const example = `${type}, e.g. ${shown(value)}`;
		const description = isEmpty(value) ? 'Empty in the records looked at' : example;
		return { name, value: name, description };
	});
}
