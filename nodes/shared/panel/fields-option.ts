import type { ILoadOptionsFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { RequestLimits } from '../client/api';
import { readListEnvelope } from '../client/envelope';
import { isObject, parseJson } from '../client/json';
import { createNodeError, endpointFor, InputProblem } from '../errors/node-errors';
import { isCount, listRequest, type ListSource, type PageRequest } from '../lists/page';
import { contextOfQuery, openSession, type Session } from '../session/session';
import { readSource, type ChosenList } from './list-source';
import { isEmpty, readOptions, shown, type GetParameter } from './read-parameters';

/** Page request that finds the names of the fields. Some services reject a page size below 20. */
const SAMPLE = { limit: 20, sort: 'updated_at' } as const;
/** Limits for loading the list of fields. They are tight, because the user waits for it and can open it again. */
const PANEL_LIMITS: RequestLimits = { maxRetries: 1, maxWaitMs: 5_000, timeoutMs: 20_000 };

/** Option Fields: the names of the fields to keep. The node needs the method `getFields` (see `fieldsLoader`). */
export const fieldsOption: INodeProperties = {
	displayName: 'Fields (Columns): Names or IDs',
	name: 'fields',
	type: 'multiOptions',
	typeOptions: {
		loadOptionsMethod: 'getFields',
		loadOptionsDependsOn: ['resource', 'operation', 'objectType.value'],
		allowArbitraryValues: true,
	},
	default: [],
	description:
		'Returns only these fields, in this order. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	hint: 'In an expression, give a list: {{ ["name", "address.city"] }}',
};

/** Returns the names of the fields to keep, in order. Undefined keeps all. Throws InputProblem for invalid values. */
export function readFields(value: unknown, label = 'Fields'): string[] | undefined {
	const names = isEmpty(value) ? [] : readNames(value, label);
	return names.length === 0 ? undefined : [...new Set(names)];
}

/**
 * Reads field names from a list, from text with commas, or from text that is a JSON list, which AI models often write.
 * Throws InputProblem for any other value.
 */
export function readNames(value: unknown, label: string): string[] {
	const isText = typeof value === 'string';
	const isJson = isText && /^\s*\[/.test(value);
	const list = isJson ? parseJson(value) : isText ? value.split(',') : value;
	if (!Array.isArray(list) || !list.every((name) => typeof name === 'string')) {
		throw new InputProblem(
			`'${label}' must be names separated by commas, or a list of names`,
			`Write for example: name, domain, updated_at. It is ${shown(value)} now.`,
		);
	}
	return list.map((name: string) => name.trim()).filter(Boolean);
}

/** Returns the names of a record's fields, also inside objects, for example `address` and `address.city`. */
function pathsOf(record: object): string[] {
	return Object.entries(record).flatMap(([name, value]) =>
		isObject(value) ? [name, ...pathsOf(value).map((inner) => `${name}.${inner}`)] : [name],
	);
}

/** Returns records from the first and the last page of a list, because the newest records may have more fields. */
async function sampleOf(source: ListSource, { client }: Session): Promise<object[]> {
	const read = async (page: PageRequest) =>
		readListEnvelope((await client(listRequest(source, page), PANEL_LIMITS)).body);
	const { data, meta } = await read(SAMPLE);
	const { total, page_size: pageSize } = meta.pagination;
	const page = Math.ceil(Number(total) / Number(pageSize));
	if (!isCount(page) || page === 1) return data.items;
	const newest = await read({ ...SAMPLE, page }).catch(() => undefined);
	return [...data.items, ...(newest?.data.items ?? [])];
}

/** Returns the function that loads the choices of the option Fields from a few records of the chosen list. */
export function fieldsLoader(listOf: (get: GetParameter) => ChosenList) {
	return async function getFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const get = (name: string): unknown => this.getCurrentNodeParameter(name);
		let session: Session | undefined;
		try {
			session = await openSession(this);
			const list = listOf(get);
			const { apiVersion } = session.credential;
			const endpoint = endpointFor('The list of fields', list.endpoints, apiVersion);
			const source = readSource(get, readOptions(get), { ...list, endpoint });
			const records = await sampleOf(source, session);
			const names = new Set(records.flatMap((record) => pathsOf(record)));
			return [...names].map((name) => ({ name, value: name }));
		} catch (error) {
			throw createNodeError(error, {
				...(await contextOfQuery(this, session)),
				operation: 'the list of fields',
				hasRequestOptions: false,
				messageAlone: true,
			});
		}
	};
}
