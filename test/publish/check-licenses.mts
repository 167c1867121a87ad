import { problem } from './finding.mts';
import type { Check, Finding } from './finding.mts';
import { readJson } from './project.mts';

/** Licenses that let anybody use the software to build and test, and ask for nothing in return that we do not do. */
const allowed = new Set([
	'(AFL-2.1 OR BSD-3-Clause)',
	'(MIT AND Zlib)',
	'(MIT OR CC0-1.0)',
	'0BSD',
	'Apache-2.0',
	'BSD-2-Clause',
	'BSD-3-Clause',
	'BlueOak-1.0.0',
	'ISC',
	'MIT',
	'CC-BY-4.0',
	'MIT-0',
	'MPL-2.0',
	'Python-2.0',
	'Unlicense',
]);

/** n8n's own packages: its Sustainable Use License allows what happens here, and nothing of them ships. */
const ofN8n = /^(@n8n|@n8n_io)\/|^n8n-(core|workflow)$/;

/** Packages whose package.json names no license in npm's way; their license file or README says MIT. */
const byTheirFile = new Set([
	'buildcheck',
	'busboy',
	'cpu-features',
	'humanize-number',
	'ssh2',
	'streamsearch',
]);

/** What ships is ours alone; what builds and tests it has a license that allows that. */
export const licenseChecks: Check[] = [
	{ name: 'Licenses: nothing of others ships, and what builds may be used', find: findLicenses },
];

async function findLicenses(): Promise<Finding[]> {
	const { packages } = await readJson<{
		packages: Record<string, { license?: string; dev?: boolean }>;
	}>('package-lock.json');
	const installed = Object.entries(packages).filter(([place]) => place !== '');
	return installed.flatMap(([place, { license = '', dev }]) => {
		const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
		const mayBeUsed = allowed.has(license) || ofN8n.test(name) || byTheirFile.has(name);
		return [
			...(mayBeUsed ? [] : [problem(`${name}: license "${license}"`)]),
			...(dev ? [] : [problem(`${name} is no development dependency`)]),
		];
	});
}
