import { stat } from 'node:fs/promises';
import path from 'node:path';
import { repositoryFolder } from '../n8n/paths.mts';
import { changelogSection } from './changelog.mts';
import { problem, unmet } from './finding.mts';
import type { Check, Finding } from './finding.mts';
import { headingsOf, linksOf } from './markdown.mts';
import { readJson, readText } from './project.mts';
import type { Manifest } from './project.mts';

/** The sections of the README that n8n's own template has. */
const sections = [
	'Installation',
	'Operations',
	'Credentials',
	'Compatibility',
	'Usage',
	'Resources',
	'Version history',
];

/** Above this the README would be slow to open. */
const mostMovingPictureBytes = 1_500_000;

/** README, changelog and license; where the links of documents lead is among `npm run test:checks`. */
export const documentChecks: Check[] = [
	{ name: 'README has the sections, commands and pictures that it should', find: findInReadme },
	{ name: 'CHANGELOG.md has a section for the version', find: findInChangelog },
	{ name: 'The license is MIT, and n8n’s strict rules hold', find: findInLicense },
];

async function findInReadme(): Promise<Finding[]> {
	const readme = await readText('README.md');
	const { name } = await readJson<Manifest>('package.json');
	const headings = headingsOf(readme);
	const pictures = linksOf(readme).filter(({ isPicture }) => isPicture);
	const moving = pictures.find(({ target }) => /\.(gif|apng|webp)$/.test(target))?.target;
	const size = moving ? (await stat(path.join(repositoryFolder, moving))).size : 0;
	return [
		...sections
			.filter((section) => !headings.includes(section))
			.map((section) => problem(`README.md: a section "${section}"`)),
		...unmet({
			'README.md: starts with the package’s name': headings[0] === name,
			'README.md: says how to install the package by its name': readme.includes(`\`${name}\``),
			'README.md: two pictures or more': pictures.length > 1,
			'README.md: a moving picture': moving !== undefined,
			[`README.md: its moving picture has at most ${mostMovingPictureBytes} bytes (${size})`]:
				size <= mostMovingPictureBytes,
		}),
	];
}

async function findInChangelog(): Promise<Finding[]> {
	const { version } = await readJson<Manifest>('package.json');
	const section = changelogSection(await readText('CHANGELOG.md'), version);
	return unmet({
		[`CHANGELOG.md: "## ${version} – <date>" and what changed`]: Boolean(section?.notes),
	});
}

async function findInLicense(): Promise<Finding[]> {
	const { license, n8n, scripts } = await readJson<Manifest>('package.json');
	const text = await readText('LICENSE.md');
	return unmet({
		'package.json: "license": "MIT"': license === 'MIT',
		'LICENSE.md: the text of the MIT license':
			/MIT License/i.test(text) && text.includes('Permission is hereby granted, free of charge'),
		'package.json: n8n.strict': n8n?.strict === true,
		'package.json: "prepublishOnly": "n8n-node prerelease", which refuses a bare npm publish':
			scripts?.prepublishOnly === 'n8n-node prerelease',
	});
}
