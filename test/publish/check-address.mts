import { readAddress, reservedDomain } from './address.mts';
import type { Check, Finding } from './finding.mts';
import { trackedTexts } from './project.mts';

/** How much of a line is shown. */
const shownLength = 120;

/** No place has the reserved address any more. */
export const addressChecks: Check[] = [
	{ name: 'The address is filled in everywhere', find: findPlaceholders },
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
