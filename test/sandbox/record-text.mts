import { chooseFrom, hashOf } from './hashing.mts';
import type { Pools } from './pools.mts';
import type { ObjectType } from './types.mts';

/** What a record's text is composed from, besides the pools. Times are milliseconds since 1970. */
export interface RecordState {
	index: number;
	createdAt: number;
	updatedAt: number;
	/** How often the record was changed; 1 when new. */
	revision: number;
}

/** How many companies and items the other records may refer to. */
export interface ReferenceCounts {
	companies: number;
	items: number;
}

/** Gives the JSON text of a record. */
export type ComposeRecord = (state: RecordState) => string;

const idPrefixes: Record<ObjectType, string> = {
	company: 'cmp_',
	order: 'ord_',
	item: 'itm_',
	deal: 'deal_',
};
const statuses = ['draft', 'open', 'paid', 'shipped', 'cancelled', 'refunded'];
const currencies = ['EUR', 'USD', 'GBP', 'JPY'];
const stages = ['qualification', 'proposal', 'negotiation', 'won', 'lost'];
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const notesSalt = 11;

/** The id of the record with a number (from 0). Ids have one length, so their order is that of the numbers. */
export function idOf(objectType: ObjectType, number: number): string {
	return idPrefixes[objectType] + String(number + 1).padStart(9, '0');
}

/** The number of an id of this type, or undefined where the text is no such id. */
export function numberOf(objectType: ObjectType, id: string): number | undefined {
	const digits = id.startsWith(idPrefixes[objectType])
		? id.slice(idPrefixes[objectType].length)
		: '';
	return /^\d{9}$/.test(digits) && digits !== '000000000' ? Number(digits) - 1 : undefined;
}

function money(hash: number): string {
	return String((hash % 10_000_000) / 100);
}

const dayStarts = new Map<number, string>();

/** The same as toISOString, which took a fifth of the time of a page: only the time of day is worked out anew. */
function dateText(time: number): string {
	const day = Math.floor(time / 86_400_000);
	let dayText = dayStarts.get(day);
	if (dayText === undefined) {
		dayText = new Date(time).toISOString().slice(0, 11);
		dayStarts.set(day, dayText);
	}
	const ms = time - day * 86_400_000;
	const seconds = Math.floor(ms / 1000);
	const minutes = Math.floor(seconds / 60);
	const clock = `${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}`;
	return `${dayText}${clock}.${String(ms % 1000).padStart(3, '0')}Z`;
}

/** Beyond 2^53, so a client that parses it as a double loses its last digits. One record in 20 has it. */
function externalNumber(index: number): string {
	return index % 20 === 3
		? `,"external_number":${9_007_199_254_740_993n + BigInt(index) * 2n}`
		: '';
}

function composers(pools: Pools, seed: number, counts: ReferenceCounts, firstNumber: number) {
	const idAt = (objectType: ObjectType, index: number) => idOf(objectType, firstNumber + index);
	const reference = (objectType: ObjectType, hash: number, count: number) =>
		count === 0 ? 'null' : `"${idAt(objectType, hash % count)}"`;
	const hash = (index: number, salt: number) => hashOf(index, seed * 64 + salt);
	const pick = (values: readonly string[], index: number, salt: number) =>
		chooseFrom(values, hash(index, salt));
	// The first notes are the awkward ones: every 40th record walks through them, so small tables have them too.
	const notes = (index: number) =>
		index % 40 < 12 && index % 2 === 0
			? pools.notes[(index % 40) / 2]
			: pick(pools.notes, index, notesSalt);
	const ending = (state: RecordState) =>
		`"notes":${notes(state.index)},"revision":${state.revision}${externalNumber(state.index)}` +
		`,"created_at":"${dateText(state.createdAt)}","updated_at":"${dateText(state.updatedAt)}"}`;
	const company: ComposeRecord = (state) => {
		const { index } = state;
		const name = chooseFrom(pools.companyNames, hash(index, 0));
		const isLarge = hash(index, 1) % 5 === 0;
		return (
			`{"id":"${idAt('company', index)}","name":${name.json},"domain":"${name.slug}-${index + 1}.example"` +
			`,"industry":${pick(pools.industryTexts, index, 2)}` +
			`,"employees":${(hash(index, 3) % (isLarge ? 20_000 : 200)) + 1}` +
			`,"annual_revenue":${isLarge ? money(hash(index, 4)) : 'null'}` +
			`,"phone":${pick(pools.phones, index, 5)},"is_customer":${hash(index, 6) % 2 === 0}` +
			`,"address":${pick(pools.addresses, index, 7)},"tags":${pick(pools.tags, index, 8)}` +
			`,"owner":${pick(pools.people, index, 9)},${ending(state)}`
		);
	};
	const orderLine = (index: number, salt: number) =>
		`{"item_id":${reference('item', hash(index, salt), counts.items)}` +
		`,"quantity":${(hash(index, salt + 1) % 9) + 1},"unit_price":${money(hash(index, salt + 2))}}`;
	const order: ComposeRecord = (state) => {
		const { index } = state;
		const secondLine = hash(index, 12) % 2 === 0 ? `,${orderLine(index, 24)}` : '';
		return (
			`{"id":"${idAt('order', index)}","number":"SO-${100_000 + index}"` +
			`,"company_id":${reference('company', hash(index, 13), counts.companies)}` +
			`,"status":"${pick(statuses, index, 14)}","currency":"${pick(currencies, index, 15)}"` +
			`,"total_amount":${money(hash(index, 16))},"lines":[${orderLine(index, 20)}${secondLine}]` +
			`,"shipping_address":${pick(pools.addresses, index, 17)},"tags":${pick(pools.tags, index, 18)},${ending(state)}`
		);
	};
	const item: ComposeRecord = (state) => {
		const { index } = state;
		return (
			`{"id":"${idAt('item', index)}","sku":"SKU-${(hash(index, 30) % 90_000) + 10_000}-${index + 1}"` +
			`,"name":${pick(pools.products, index, 31)},"description":${pick(pools.descriptions, index, 32)}` +
			`,"category":${pick(pools.categories, index, 33)},"price":${money(hash(index, 34))}` +
			`,"currency":"${pick(currencies, index, 35)}","stock":${hash(index, 36) % 500}` +
			`,"active":${hash(index, 37) % 8 !== 0},"attributes":${pick(pools.attributes, index, 38)}` +
			`,"tags":${pick(pools.tags, index, 39)},${ending(state)}`
		);
	};
	const deal: ComposeRecord = (state) => {
		const { index } = state;
		const isDated = hash(index, 40) % 4 !== 0;
		const closeDate = new Date(state.createdAt + (hash(index, 41) % 200) * 86_400_000);
		return (
			`{"id":"${idAt('deal', index)}","title":${pick(pools.products, index, 42)}` +
			`,"company_id":${reference('company', hash(index, 43), counts.companies)}` +
			`,"stage":"${pick(stages, index, 44)}","amount":${money(hash(index, 45))}` +
			`,"currency":"${pick(currencies, index, 46)}","probability":${(hash(index, 47) % 101) / 100}` +
			`,"expected_close_date":${isDated ? `"${closeDate.toISOString().slice(0, 10)}"` : 'null'}` +
			`,"owner":${pick(pools.people, index, 48)},"tags":${pick(pools.tags, index, 49)},${ending(state)}`
		);
	};
	return { company, order, item, deal };
}

/** The composer of each object type for one seed. The record at index 0 has the id of `firstNumber`. */
export function recordComposers(
	pools: Pools,
	seed: number,
	counts: ReferenceCounts,
	firstNumber: number,
): Record<ObjectType, ComposeRecord> {
	return composers(pools, seed, counts, firstNumber);
}
