import { faker as german } from '@faker-js/faker/locale/de';
import { faker as english } from '@faker-js/faker/locale/en';
import { faker as japanese } from '@faker-js/faker/locale/ja';
import type { Faker } from '@faker-js/faker';

/** Generated names, addresses and other values from which records are composed. */
export type Pools = ReturnType<typeof generatePools>;

const awkwardNotes = [
	'=SUM(A1:A9) was pasted from a spreadsheet',
	'Says "call us back", then hangs up',
	'First line, with a comma\nsecond line\r\nthird line',
	'Grüße aus Köln 🚚 – 東京 office, naïve résumé',
	'tab\there; backslash \\ and </script> too',
	'',
];

const tagWords = [
	'customer',
	'partner',
	'vip',
	'newsletter',
	'2025',
	'north "A"',
	'süd',
	'a,b',
	'trial',
	'late payer',
];

function repeat<Value>(howMany: number, make: () => Value): Value[] {
	return Array.from({ length: howMany }, make);
}

function repeatJson(howMany: number, make: () => unknown): string[] {
	return repeat(howMany, () => JSON.stringify(make()));
}

/** Generates a company name, and the form of the name in a domain. */
function companyName(source: Faker) {
	const name = source.company.name();
	const words = name.normalize('NFKD').toLowerCase();
	const slug = words.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '') || 'company';
	return { name, slug };
}

function address(source: Faker): Record<string, unknown> {
	return {
		street: source.location.streetAddress(),
		city: source.location.city(),
		postcode: source.location.zipCode(),
		country_code: source.location.countryCode(),
		location: {
			latitude: source.location.latitude({ precision: 4 }),
			longitude: source.location.longitude({ precision: 4 }),
		},
	};
}

/**
 * Generates values for records. Most values are JSON text, because composing a page of 100 records must take far less
 * than 1 ms, and JSON.stringify is too slow for that. `companyNames`, `industries` and `countries` are plain values.
 */
function generatePools(seed: number) {
	for (const source of [english, german, japanese]) source.seed(seed);
	const anySource = (): Faker => english.helpers.arrayElement([english, english, german, japanese]);
	return {
		industries: [...new Set(repeat(60, () => english.commerce.department()))],
		companyNames: repeat(3000, () => companyName(anySource())),
		countries: repeat(40, () => english.location.countryCode()),
		addresses: repeatJson(2000, () => address(anySource())),
		people: repeatJson(1500, () => anySource().person.fullName()),
		phones: repeatJson(1000, () => english.phone.number({ style: 'international' })),
		tags: repeatJson(200, () => english.helpers.arrayElements(tagWords, { min: 0, max: 3 })),
		products: repeatJson(1500, () => english.commerce.productName()),
		descriptions: repeatJson(800, () => english.commerce.productDescription()),
		notes: [
			...awkwardNotes.map((note) => JSON.stringify(note)),
			...repeat(6, () => 'null'),
			...repeatJson(500, () => english.company.catchPhrase()),
		],
		attributes: repeatJson(300, () => ({
			color: anySource().color.human(),
			material: english.commerce.productMaterial(),
			weight_grams: english.number.int({ min: 20, max: 20_000 }),
		})),
		categories: repeatJson(40, () => english.commerce.department()),
	};
}

const generated = new Map<number, Pools>();

/** Returns the generated values for a seed. Generates them at the first call with this seed. */
export function poolsFor(seed: number): Pools {
	const pools = generated.get(seed) ?? generatePools(seed);
	generated.set(seed, pools);
	return pools;
}
