/**
 * `npm run publish:check`: runs all checks of a release, and then prints a checklist for a person. Exits with 1 if a
 * check finds a problem. With `--placeholders-allowed`, files can still have the placeholder address.
 */
import { buildPackage } from '../../test/n8n/package-tarball.mts';
import { createProgress } from '../../test/n8n/progress.mts';
import { addressChecks } from './address.mts';
import { documentChecks } from './check-documents.mts';
import { pipelineChecks } from './check-pipelines.mts';
import { tarballChecks } from './check-tarball.mts';
import type { Finding } from './project.mts';

/** Checklist of requirements that only a person can check, mostly from n8n's guidelines. */
const checklist = `
For a person to look at:
  [ ] The repository is public and its address opens; npm and the repository name the same author.
  [ ] publish.yml is a trusted publisher of the package on npmjs.com (for the first version: the secret NPM_TOKEN).
  [ ] The links to other sites in README and docs open.
  [ ] The icons stand out in n8n’s light and dark theme.
  [ ] CHANGELOG.md says everything that users notice, and its heading has the day of the release.
  [ ] The moving picture and the pictures show the panel as it is, and open quickly: \`npm run pictures\`.
  [ ] The words are the service’s own, as its users see them; no technical word where a plain one does.
  [ ] Error messages say what happened and descriptions what to do, without “error”, “problem”, “failure”, “mistake”.
  [ ] Operations’ actions name the resource. n8n’s guidelines would leave out articles ("Score deal"); its own nodes have them.
  [ ] Get Many has no “Simplify” switch: the option Fields chooses among fields that the specification does not list.
  [ ] The package is for one service, is no copy of a node that n8n has, and is no logic or flow node.
  [ ] Reviewers of n8n can try it: a test key of the service, or \`npm start\` with the sandbox.
  [ ] After publishing: npx @n8n/scan-community-package <name>, then submit it in n8n’s Creator Portal.`;

const placeholdersAllowed = process.argv.includes('--placeholders-allowed');

const checks = [...documentChecks, ...pipelineChecks, ...tarballChecks, ...addressChecks];
await buildPackage(createProgress());

const found: Finding[] = [];
for (const { name, find } of checks) {
	const findings = await find().catch((error: unknown): Finding[] => [{ text: String(error) }]);
	console.log(`${findings.length === 0 ? '✓' : '✗'} ${name}`);
	for (const { text, isPlaceholder } of findings)
		console.log(`    ${isPlaceholder ? 'placeholder: ' : ''}${text}`);
	found.push(...findings);
}

const placeholders = found.filter(({ isPlaceholder }) => isPlaceholder).length;
const problems = found.length - placeholders;
const passed = problems === 0 && (placeholdersAllowed || placeholders === 0);

if (placeholders > 0) {
	console.log('\nThe address is not filled in: npm run publish:address -- <website> <e-mail>');
}
if (!placeholdersAllowed) console.log(checklist);
const verdict = passed ? 'Passed' : 'Not ready to be published';
console.log(`\n${verdict}: ${problems} problems, ${placeholders} placeholders.`);
process.exitCode = passed ? 0 : 1;
