import { readJson, readManifest, trackedTexts, unmet } from './project.mts';
import type { Check, Finding } from './project.mts';

/** Where the project is public: the one file that says so is test/publish/address.json. */
export interface Address {
	/** The package's name on npm. */
	name: string;
	website: string;
	/** As npm writes it: "git+https://….git". */
	repository: string;
	/** n8n compares name and e-mail with the maintainer on npm. */
	authorName: string;
	authorEmail: string;
}

/** An address at a top-level domain that nobody can register (RFC 2606). */
export const reservedDomain = /[\w.-]+\.example(?![\w.-])/;

/** Every place that names the address has the one of address.json, and that one is real. */
export const addressChecks: Check[] = [
	{ name: 'The address is filled in everywhere', find: findPlaceholders },
	{ name: 'package.json has the address of test/publish/address.json', find: findDifferences },
];

/** Reads address.json. */
export const readAddress = async () => await readJson<Address>('test/publish/address.json');

/** The address that package.json has now. */
export async function addressInManifest(): Promise<Address> {
	const { name, homepage: website = '', repository, author } = await readManifest();
	const { name: authorName = '', email: authorEmail = '' } = author ?? {};
	return { name, website, repository: repository?.url ?? '', authorName, authorEmail };
}

/** A text with one address in place of another. */
export function replaceAddress(text: string, from: Address, to: Address): string {
	const parts = Object.keys(to) as (keyof Address)[];
	const differing = parts.filter((part) => from[part] && from[part] !== to[part]);
	const changed = new Map(differing.map((part) => [from[part], to[part]]));
	if (changed.size === 0) return text;
	// The longest first: an e-mail address or a website may hold the name. One pass, so that nothing written is replaced.
	const old = [...changed.keys()].sort((one, other) => other.length - one.length);
	const any = new RegExp(old.map((part) => part.replaceAll(/\W/g, '\\$&')).join('|'), 'g');
	return text.replaceAll(any, (found) => changed.get(found) ?? found);
}

async function findPlaceholders(): Promise<Finding[]> {
	const { website, authorEmail } = await readAddress();
	const placeholders = [website, authorEmail].flatMap((part) => reservedDomain.exec(part) ?? []);
	const texts = await trackedTexts(':!test/publish');
	return texts.flatMap(([file, text]) =>
		text.split('\n').flatMap((line, index) => {
			if (!placeholders.some((part) => line.includes(part))) return [];
			const shown = line.trim().slice(0, 120);
			return [{ isPlaceholder: true, text: `${file}:${index + 1}: ${shown}` }];
		}),
	);
}

async function findDifferences(): Promise<Finding[]> {
	const written = await addressInManifest();
	const expected = Object.entries(await readAddress()) as [keyof Address, string][];
	return expected.flatMap(([part, value]) =>
		unmet({ [`${part} should be ${value}: npm run publish:address`]: written[part] === value }),
	);
}
