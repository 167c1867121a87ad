import { chooseFrom } from './hashing.mts';
import type { Pools } from './pools.mts';

/** Helpers that generate the fields of all records in a workspace. */
export interface FieldTools {
	pools: Pools;
	/** Returns a 32-bit hash for the record at an index. Different salts give different hashes. */
	hash(index: number, salt: number): number;
	/** Returns one of the values. Equal indexes and salts always give the same value. */
	pick(values: readonly string[], index: number, salt: number): string;
	/**
	 * Returns the id of a record of an object type as JSON text. Returns the text `null` if there are no records of
	 * this type.
	 */
	reference(objectType: string, hash: number): string;
}

/** Definition of one object type. */
export interface ObjectTypeRow {
	/** Plural name. It is also the name of the sandbox option that sets the number of records. */
	plural: string;
	/** Default number of records. */
	count: number;
	/** Prefix of the ids. */
	idPrefix: string;
	/** Path of the list endpoint. Undefined if only the records query returns this type. */
	list?: string;
	/** Names of fields that a list can be filtered by. Only records with an equal value match. */
	filters?: readonly string[];
	/**
	 * Returns the JSON text of the fields between `id` and `notes`. Use each salt only once in this file, and only
	 * salts below 64, so that the fields of a record are independent.
	 */
	fields(index: number, tools: FieldTools, createdAt: number): string;
}

const statuses = ['draft', 'open', 'paid', 'shipped', 'cancelled', 'refunded'];
const currencies = ['EUR', 'USD', 'GBP', 'JPY'];
const stages = ['qualification', 'proposal', 'negotiation', 'won', 'lost'];

function money(hash: number): string {
	return String((hash % 10_000_000) / 100);
}

function orderLine(index: number, salt: number, { hash, reference }: FieldTools): string {
	return (
		`{"item_id":${reference('item', hash(index, salt))}` +
		`,"quantity":${(hash(index, salt + 1) % 9) + 1},"unit_price":${money(hash(index, salt + 2))}}`
	);
}

/** All object types of the sandbox. Options, list endpoints, ids and records are made from this table. */
export const objectTypes = {
	company: {
		plural: 'companies',
		count: 2503,
		idPrefix: 'cmp_',
		list: '/v2/public/companies',
		filters: ['industry'],
		fields(index, { pools, hash, pick }) {
			const name = chooseFrom(pools.companyNames, hash(index, 0));
			const isLarge = hash(index, 1) % 5 === 0;
			return (
				`"name":${JSON.stringify(name.name)},"domain":"${name.slug}-${index + 1}.example"` +
				`,"industry":${JSON.stringify(pick(pools.industries, index, 2))}` +
				`,"employees":${(hash(index, 3) % (isLarge ? 20_000 : 200)) + 1}` +
				`,"annual_revenue":${isLarge ? money(hash(index, 4)) : 'null'}` +
				`,"phone":${pick(pools.phones, index, 5)},"is_customer":${hash(index, 6) % 2 === 0}` +
				`,"address":${pick(pools.addresses, index, 7)},"tags":${pick(pools.tags, index, 8)}` +
				`,"owner":${pick(pools.people, index, 9)}`
			);
		},
	},
	order: {
		plural: 'orders',
		count: 1200,
		idPrefix: 'ord_',
		list: '/v2/public/orders',
		fields(index, tools) {
			const { pools, hash, pick, reference } = tools;
			const secondLine = hash(index, 12) % 2 === 0 ? `,${orderLine(index, 24, tools)}` : '';
			return (
				`"number":"SO-${100_000 + index}","company_id":${reference('company', hash(index, 13))}` +
				`,"status":"${pick(statuses, index, 14)}","currency":"${pick(currencies, index, 15)}"` +
				`,"total_amount":${money(hash(index, 16))}` +
				`,"lines":[${orderLine(index, 20, tools)}${secondLine}]` +
				`,"shipping_address":${pick(pools.addresses, index, 17)},"tags":${pick(pools.tags, index, 18)}`
			);
		},
	},
	item: {
		plural: 'items',
		count: 800,
		idPrefix: 'itm_',
		list: '/v2/public/items',
		fields(index, { pools, hash, pick }) {
			return (
				`"sku":"SKU-${(hash(index, 30) % 90_000) + 10_000}-${index + 1}"` +
				`,"name":${pick(pools.products, index, 31)},"description":${pick(pools.descriptions, index, 32)}` +
				`,"category":${pick(pools.categories, index, 33)},"price":${money(hash(index, 34))}` +
				`,"currency":"${pick(currencies, index, 35)}","stock":${hash(index, 36) % 500}` +
				`,"active":${hash(index, 37) % 8 !== 0},"attributes":${pick(pools.attributes, index, 38)}` +
				`,"tags":${pick(pools.tags, index, 39)}`
			);
		},
	},
	deal: {
		plural: 'deals',
		count: 300,
		idPrefix: 'deal_',
		fields(index, { pools, hash, pick, reference }, createdAt) {
			const isDated = hash(index, 40) % 4 !== 0;
			const closeDate = new Date(createdAt + (hash(index, 41) % 200) * 86_400_000);
			return (
				`"title":${pick(pools.products, index, 42)}` +
				`,"company_id":${reference('company', hash(index, 43))}` +
				`,"stage":"${pick(stages, index, 44)}","amount":${money(hash(index, 45))}` +
				`,"currency":"${pick(currencies, index, 46)}","probability":${(hash(index, 47) % 101) / 100}` +
				`,"expected_close_date":${isDated ? `"${closeDate.toISOString().slice(0, 10)}"` : 'null'}` +
				`,"owner":${pick(pools.people, index, 48)},"tags":${pick(pools.tags, index, 49)}`
			);
		},
	},
} as const satisfies Record<string, ObjectTypeRow>;

export type ObjectType = keyof typeof objectTypes;

/** Names of the object types, in the order of the table. */
export const objectTypeNames = Object.keys(objectTypes) as ObjectType[];

/** Number of records of each object type, by plural name. */
export type RecordCounts = {
	[Name in ObjectType as (typeof objectTypes)[Name]['plural']]?: number;
};

/** Returns options that set the same number of records for every object type. */
export function countsOf(howMany: number): RecordCounts {
	return Object.fromEntries(objectTypeNames.map((name) => [objectTypes[name].plural, howMany]));
}

/** Builds an object with one value for each object type. */
export function forEachType<Value>(
	valueOf: (objectType: ObjectType) => Value,
): Record<ObjectType, Value> {
	const entries = objectTypeNames.map((name) => [name, valueOf(name)] as const);
	return Object.fromEntries(entries) as Record<ObjectType, Value>;
}
