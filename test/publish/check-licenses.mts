import { readJson, unmet } from './project.mts';
import type { Check, Finding } from './project.mts';

/** Licenses that let anybody use the software to build and test, and ask for nothing in return that we do not do. */
const allowed =
	/^(0BSD|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|CC-BY-[34]\.0|CC0-1\.0|ISC|MIT|MIT-0|MPL-2\.0|Python-2\.0|Unlicense|\(AFL-2\.1 OR BSD-3-Clause\)|\(MIT AND Zlib\)|\(MIT OR CC0-1\.0\))$/;

/** n8n's own packages: its Sustainable Use License allows what happens here, and nothing of them ships. */
const ofN8n = /^(@n8n|@n8n_io)\/|^n8n-(core|workflow)$/;

/** Packages whose package.json names no license in npm's way; their license file or README says MIT. */
const byTheirFile = /^(buildcheck|busboy|cpu-features|humanize-number|ssh2|streamsearch)$/;

/** What ships is ours alone; what builds and tests it has a license that allows that. */
export const licenseChecks: Check[] = [
	{ name: 'Licenses: nothing of others ships, and what builds may be used', find: findLicenses },
];

async function findLicenses(): Promise<Finding[]> {
	const { packages } = await readJson<{
		packages: Record<string, { license?: string; dev?: boolean }>;
	}>('package-lock.json');
	return Object.entries(packages).flatMap(([folder, { license = '', dev }]) => {
		const name = folder.split('node_modules/').at(-1) ?? '';
		// The package itself.
		if (name === '') return [];
		return unmet({
			[`${name}: license "${license}"`]:
				allowed.test(license) || ofN8n.test(name) || byTheirFile.test(name),
			[`${name} is no development dependency`]: dev === true,
		});
	});
}
