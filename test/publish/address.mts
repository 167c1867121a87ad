import { readJson } from './project.mts';
import type { Manifest } from './project.mts';

/** Where the project is public: the one file that says so is test/publish/address.json. */
export interface Address {
	/** The package's name on npm. */
	name: string;
	/** Who owns the repository on GitHub; empty until there is one. */
	owner: string;
	/** The repository's name on GitHub. */
	repository: string;
	/** As in package.json; n8n compares it with the maintainer on npm. */
	author: { name: string; email: string };
}

/** An address at a top-level domain that nobody can register (RFC 2606). */
export const reservedDomain = /[\w.-]+\.example(?![\w.-])/;

/** Reads address.json. */
export async function readAddress(): Promise<Address> {
	return await readJson<Address>('test/publish/address.json');
}

/** An address as the files have it. Without an owner, the website is at the reserved example domain. */
export function writtenAddress({ name, owner, repository, author }: Address) {
	const website = owner ? `https://github.com/${owner}/${repository}` : `https://${name}.example`;
	const repositoryUrl = owner
		? `git+${website}.git`
		: `git+https://${name}.example/${repository}.git`;
	return { name, website, repositoryUrl, authorName: author.name, authorEmail: author.email };
}

/** What package.json and all other files say of an address. */
export type WrittenAddress = ReturnType<typeof writtenAddress>;

/** The address that package.json has now. */
export function addressInManifest(manifest: Manifest): WrittenAddress {
	const { name, homepage: website = '', repository, author } = manifest;
	const { name: authorName = '', email: authorEmail = '' } = author ?? {};
	return { name, website, repositoryUrl: repository?.url ?? '', authorName, authorEmail };
}

/** A text with one address in place of another. */
export function replaceAddress(text: string, from: WrittenAddress, to: WrittenAddress): string {
	const parts = Object.keys(to) as (keyof WrittenAddress)[];
	const differing = parts.filter((part) => from[part] && from[part] !== to[part]);
	const changed = new Map(differing.map((part) => [from[part], to[part]]));
	if (changed.size === 0) return text;
	// The longest first: an e-mail address or a website may hold the name. One pass, so that nothing written is replaced.
	const old = [...changed.keys()].sort((one, other) => other.length - one.length);
	const any = new RegExp(old.map((part) => part.replaceAll(/\W/g, '\\$&')).join('|'), 'g');
	return text.replaceAll(any, (found) => changed.get(found) ?? found);
}
