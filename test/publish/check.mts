/**
 * `npm run publish:check`: everything about a release that a machine can check, then a list of the rest for a person.
 * Exits 1 when something is found. With `--placeholders-allowed` the address may still be the reserved one: for
 * checks in between, before the project has its public address. With `--quick`, nothing is built, linted or packed.
 */
import { repositoryFolder } from '../n8n/paths.mts';
import { runNpm } from '../n8n/commands.mts';
import { addressChecks } from './check-address.mts';
import { documentChecks } from './check-documents.mts';
import { iconChecks } from './check-icons.mts';
import { licenseChecks } from './check-licenses.mts';
import { nodeChecks } from './check-nodes.mts';
import { pipelineChecks } from './check-pipelines.mts';
import { tarballChecks } from './check-tarball.mts';
import { checklist } from './checklist.mts';
import type { Finding } from './finding.mts';

const isQuick = process.argv.includes('--quick');
const placeholdersAllowed = process.argv.includes('--placeholders-allowed');

const checks = [
	...iconChecks,
	...documentChecks,
	...pipelineChecks,
	...licenseChecks,
	...(isQuick ? [] : [...nodeChecks, ...tarballChecks]),
	...addressChecks,
];

if (!isQuick) {
	await runNpm({ arguments: ['run', 'build'], folder: repositoryFolder, purpose: 'Building' });
}
const found: Finding[] = [];
for (const { name, find } of checks) {
	const findings = await find();
	console.log(`${findings.length === 0 ? '✓' : '✗'} ${name}`);
	for (const { kind, text } of findings) {
		console.log(`    ${kind === 'placeholder' ? 'placeholder: ' : ''}${text}`);
	}
	found.push(...findings);
}

const count = (kind: Finding['kind']) => found.filter((finding) => finding.kind === kind).length;
const passed = count('problem') === 0 && (placeholdersAllowed || count('placeholder') === 0);

if (count('placeholder') > 0) {
	console.log(
		'\nThe address is not filled in: edit test/publish/address.json, then run `npm run publish:address`.',
	);
}
if (!placeholdersAllowed && !isQuick) {
	console.log('\nFor a person to look at:');
	for (const item of checklist) console.log(`  [ ] ${item}`);
}
console.log(
	`\n${passed ? 'Passed' : 'Not ready to be published'}: ${count('problem')} problems, ${count('placeholder')} placeholders.`,
);
process.exitCode = passed ? 0 : 1;
