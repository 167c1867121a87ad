import { addressInManifest, readAddress, reservedDomain, writtenAddress } from './address.mts';
import { problem } from './finding.mts';
import type { Check, Finding } from './finding.mts';
import { readJson, trackedTexts } from './project.mts';
import type { Manifest } from './project.mts';

/** How much of a line is shown. */
const shownLength = 120;

/** Every place that names the address has the one of address.json, and that one is real. */
export const addressChecks: Check[] = [
	{ name: 'The address is filled in everywhere', find: findPlaceholders },
	{ name: 'package.json has the address of test/publish/address.json', find: findDifferences },
];

async function findPlaceholders(): Promise<Finding[]> {
	const { name, author } = await readAddress();
	const ours = [`${name}.example`, author.email].filter((part) => reservedDomain.test(part));
	const findings: Finding[] = [];
	for (const [file, text] of await trackedTexts(':!test/publish')) {
		for (const [index, line] of text.split('\n').entries()) {
			if (!ours.some((part) => line.includes(part))) continue;
			findings.push({
				kind: 'placeholder',
				text: `${file}:${index + 1}: ${line.trim().slice(0, shownLength)}`,
			});
		}
	}
	return findings;
}

async function findDifferences(): Promise<Finding[]> {
	const expected = Object.entries(writtenAddress(await readAddress()));
	const written = addressInManifest(await readJson<Manifest>('package.json'));
	return expected
		.filter(([part, value]) => written[part as keyof typeof written] !== value)
		.map(([part, value]) => problem(`${part} should be ${value}: npm run publish:address`));
}
