import { execa } from 'execa';
import { repositoryFolder } from '../n8n/paths.mts';
import type { Check, Finding } from './finding.mts';
import { readJson } from './project.mts';

/** The packages that bring n8n's rules. */
const rulePackages = ['@n8n/node-cli', '@n8n/scan-community-package'];

/** Notes when npm has newer rules; nothing fails for that, or a release could fail from one day to the next. */
export const toolChecks: Check[] = [{ name: "n8n's newest rules", find: findNewerRules }];

async function findNewerRules(): Promise<Finding[]> {
	const { devDependencies } = await readJson<{ devDependencies: Record<string, string> }>(
		'package.json',
	);
	const notes = await Promise.all(
		rulePackages.map(async (name) => {
			const asked = await execa('npm', ['view', name, 'version'], {
				cwd: repositoryFolder,
				reject: false,
				timeout: 20_000,
			});
			const newest = asked.stdout.trim();
			if (newest === devDependencies[name]) return [];
			const found = asked.failed
				? 'npm could not be asked for the newest version'
				: `newest: ${newest}`;
			return [`${name} ${devDependencies[name]} was used (${found})`];
		}),
	);
	return notes.flat().map((text) => ({ kind: 'note', text }));
}
