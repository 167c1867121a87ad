import { parser as readChangelog } from 'keep-a-changelog';
import manifest from '../../package.json' with { type: 'json' };
import { readText, trackedTexts, unmet } from './project.mts';
import type { Check, Finding } from './project.mts';

/** Sections that n8n's README template requires. */
const sections =
	'Installation, Operations, Credentials, Compatibility, Usage, Resources, Version history';

/** Checks the README, the icons, the changelog and the license. `npm run lint` checks the links in documents. */
export const documentChecks: Check[] = [
	{ name: 'README has the sections and commands that it should', find: findInReadme },
	{ name: 'Icons are square SVGs that load nothing', find: findInIcons },
	{ name: 'CHANGELOG.md has a section for the version', find: findInChangelog },
	{ name: 'The license is MIT, and n8n’s strict rules hold', find: findInLicense },
];

async function findInReadme(): Promise<Finding[]> {
	const readme = await readText('README.md');
	const { name } = manifest;
	const missing = sections.split(', ').filter((section) => !readme.includes(`\n## ${section}\n`));
	return unmet({
		[`README.md: sections ${missing.join()}`]: missing.length === 0,
		'README.md: starts with the package’s name': readme.startsWith(`# ${name}\n`),
		'README.md: says how to install the package by its name': readme.includes(`\`${name}\``),
	});
}

async function findInIcons(): Promise<Finding[]> {
	return (await trackedTexts('icons/*.svg')).flatMap(([file, svg]) =>
		unmet({
			[`${file}: a square viewBox`]: /viewBox="0 0 (\S+) \1"/.test(svg),
			[`${file}: under 10 KB, no script, nothing from elsewhere`]:
				svg.length < 10_000 && !/<script|href="http|url\(http/.test(svg),
		}),
	);
}

async function findInChangelog(): Promise<Finding[]> {
	const { version } = manifest;
	const release = readChangelog(await readText('CHANGELOG.md')).findRelease(version);
	return unmet({
		[`CHANGELOG.md: "## ${version} - <date>" and what changed`]: release?.isEmpty() === false,
	});
}

async function findInLicense(): Promise<Finding[]> {
	const { license, n8n, scripts } = manifest;
	const text = await readText('LICENSE.md');
	return unmet({
		'package.json: "license": "MIT"': license === 'MIT',
		'LICENSE.md: the text of the MIT license':
			/MIT License/i.test(text) && text.includes('Permission is hereby granted, free of charge'),
		'package.json: n8n.strict': n8n.strict,
		'package.json: "prepublishOnly": "n8n-node prerelease", which refuses a bare npm publish':
			scripts.prepublishOnly === 'n8n-node prerelease',
	});
}
