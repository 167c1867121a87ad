import { chooseFrom } from './hashing.mts';
import type { Pools } from './pools.mts';

/** What a record's fields are made with; the same for all records of a sandbox. */
export interface FieldTools {
	pools: Pools;
	/** A number of its own for each salt of a record. */
	hash(index: number, salt: number): number;
	/** One of these values, always the same for the record and the salt. */
	pick(values: readonly string[], index: number, salt: number): string;
	/** The id of some record of this type as JSON, or null where there is none. */
	reference(objectType: string, hash: number): string;
}

/** One kind of record that the sandbox holds. */
export interface ObjectTypeRow {
	/** Name of the option that says how many there are. */
	plural: string;
	/** How many there are by default. */
	count: number;
	/** What the ids begin with. */
	idPrefix: string;
	/** The path of its own list, where it has one; the records query has every type. */
	list?: string;
	/** The fields by which lists can be filtered, by an equal value. */
	filters?: readonly string[];
	/** JSON text of the fields between `id` and `notes`. Salts are below 64, and none stands twice in this file. */
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

/** Every kind of record, one row each: the options, the lists, the ids and the records are made from it. */
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

/** One kind of record. */
export type ObjectType = keyof typeof objectTypes;

/** The names of all kinds, in the order of the table. */
export const objectTypeNames = Object.keys(objectTypes) as ObjectType[];

/** How many records of each kind, by its plural. */
export type RecordCounts = {
	[Name in ObjectType as (typeof objectTypes)[Name]['plural']]?: number;
};

/** The options for as many records of every kind. */
export function countsOf(howMany: number): RecordCounts {
	return Object.fromEntries(objectTypeNames.map((name) => [objectTypes[name].plural, howMany]));
}

/** Something for each kind of record. */
export function forEachType<Value>(
	valueOf: (objectType: ObjectType) => Value,
): Record<ObjectType, Value> {
	const entries = objectTypeNames.map((name) => [name, valueOf(name)] as const);
	return Object.fromEntries(entries) as Record<ObjectType, Value>;
}
