import { readFileSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sandboxCredentials, startSandbox } from '../../sandbox/server.mts';
import type { Sandbox } from '../../sandbox/server.mts';
import { launchChromium, openContext } from '../../browser/chromium.mts';
import { watchConsole } from '../../browser/console-watch.mts';
import { modelCredentialFile } from '../ai-workflow.mts';
import { keepEvidenceOfFailures } from '../artifacts.mts';
import { messageOf } from '../errors.mts';
import { sandboxCredential, sandboxCredentialFile } from '../imports.mts';
import { createTestRuntime } from '../n8n-under-test.mts';
import { pinnedFolder, repositoryFolder, serverFolder, stateFolder } from '../paths.mts';
import { signIn } from '../rest.mts';
import type { Execution, RestClient } from '../rest.mts';
import { storeCredentials, storeWorkflow } from '../rest-setup.mts';
import { startScriptedModel } from '../scripted-model.mts';
import type { ScriptedModel } from '../scripted-model.mts';
import { startServer } from '../server.mts';
import type { N8nServer } from '../server.mts';
import type { RunnableWorkflow } from '../workflows.mts';
import { editorFeatures } from './editor-features.mts';
import { orders } from './feature.mts';
import type { Surroundings } from './feature.mts';
import { features } from './features.mts';
import { followingFeatures } from './following-features.mts';

/** All features, in the order of the table in docs/compatibility.md. */
const allFeatures = [...features, ...followingFeatures, ...editorFeatures];

/**
 * Empty list of disabled modules, because older versions of n8n do not start if the list contains a module that they do
 * not know.
 */
const olderSettings = { N8N_DISABLED_MODULES: '' };

const versionsFolder = path.join(repositoryFolder, 'test/n8n/versions');
const lockFolders = readdirSync(versionsFolder, { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map(({ name }) => path.join(versionsFolder, name));

/** Versions of n8n to test, oldest first: the pinned version, and one version for each folder with a lock file. */
const versionsUnderTest = [...lockFolders, pinnedFolder]
	.map((lockFolder) => {
		const text = readFileSync(path.join(lockFolder, 'package.json'), 'utf8');
		const { dependencies } = JSON.parse(text) as { dependencies: { n8n: string } };
		return { version: dependencies.n8n, lockFolder, isPinned: lockFolder === pinnedFolder };
	})
	.sort((a, b) => a.version.localeCompare(b.version, 'en', { numeric: true }));

/** Results by version and feature. Undefined if the feature works, otherwise what is different. */
const results: Record<string, Record<string, string | undefined>> = {};
let sandbox: Sandbox;
let model: ScriptedModel;

beforeAll(async () => {
	sandbox = await startSandbox({ companies: 50, orders });
	model = await startScriptedModel();
});

afterEach(() => {
	sandbox.clearFaults();
	sandbox.setQuirks({});
	sandbox.clearRequests();
});

afterAll(async () => {
	await sandbox.stop();
	await model.stop();
	console.log(compatibilityTable());
	// Do not write the page if only some tests ran (`vitest -t`), because it would have gaps.
	const isComplete = versionsUnderTest.every(
		({ version }) => Object.keys(results[version] ?? {}).length === allFeatures.length,
	);
	if (!isComplete) return;
	const page = path.join(repositoryFolder, 'docs/compatibility.md');
	const text = await readFile(page, 'utf8');
	const generatedPart = /(?<=<!-- seen: .* -->\n\n)[\s\S]*(?=\n\n<!-- end of seen -->)/;
	await writeFile(
		page,
		text.replace(generatedPart, () => compatibilityTable()),
	);
});

/**
 * Returns a Markdown table with the features that differ in a version of n8n, and a list of the features that work in
 * all versions.
 */
function compatibilityTable(): string {
	const versions = Object.keys(results);
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	const heads = ['Feature', ...versions.map((version) => `n8n ${version}`)];
	const seen = allFeatures.map(({ name }) => ({
		name,
		cells: versions.map((version) => cell(results[version], name)),
	}));
	const works = seen.filter(({ cells }) => cells.every((text) => text === WORKS));
	const differs = seen.filter((feature) => !works.includes(feature));
	const areas = [...new Set(works.map(({ name }) => name.split(':')[0]))];
	return [
		line(heads),
		line(heads.map(() => '---')),
		...differs.map(({ name, cells }) => line([name, ...cells])),
		`\nIn all of them works: ${areas.join('; ')}.`,
	].join('\n');
}

const WORKS = 'works';

const maxCharacters = 80;

function cell(seen: Record<string, string | undefined>, name: string): string {
	if (!(name in seen)) return 'not tried';
	if (seen[name] === undefined) return WORKS;
	const text = `differs: ${seen[name]}`.replaceAll(/[\s|]+/g, ' ');
	return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters)}…`;
}

/** Stores the credentials and workflows of all features in n8n. */
async function prepare(
	client: RestClient,
	server: N8nServer,
	editor: Pick<Surroundings, 'page' | 'consoleErrors'>,
): Promise<Surroundings> {
	const credentials = await storeCredentials(client, [
		sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Full),
		modelCredentialFile(model.url),
	]);
	const stored = new Map<string, RunnableWorkflow>();
	for (const { workflow } of allFeatures) {
		if (workflow && !stored.has(workflow.name)) {
			stored.set(workflow.name, await storeWorkflow(client, workflow, credentials));
		}
	}
	const storedAs = ({ name }: RunnableWorkflow): RunnableWorkflow => {
		const workflow = stored.get(name);
		if (!workflow) throw new Error(`${name} is not stored`);
		return workflow;
	};
	const start = async (wanted: RunnableWorkflow) => {
		const workflow = storedAs(wanted);
		// Send the workflow itself too, because older versions of n8n need it in the request.
		const body = { workflowData: workflow, triggerToStartFrom: { name: workflow.nodes[0].name } };
		const route = `/workflows/${workflow.id}/run`;
		return String((await client.request<{ executionId: string }>('POST', route, body)).executionId);
	};
	const run = async (workflow: RunnableWorkflow) => readWhole(client, await start(workflow));
	const credentialId = credentials[sandboxCredential.id].id;
	return {
		client,
		sandbox,
		model,
		credentialId,
		idOf: (workflow) => storedAs(workflow).id,
		run,
		start,
		readLog: () => readFile(server.logFile, 'utf8'),
		...editor,
	};
}

/** Reads a finished execution. Retries, because n8n 1.x reports "success" shortly before it has stored the data. */
async function readWhole(client: RestClient, executionId: string): Promise<Execution> {
	for (let triesLeft = 20; ; triesLeft--) {
		try {
			return await client.waitForExecution(executionId, 60_000);
		} catch (error) {
			if (!(error instanceof TypeError) || triesLeft === 0) throw error;
			await wait(100);
		}
	}
}

describe.each(versionsUnderTest)('n8n $version', ({ version, lockFolder, isPinned }) => {
	let server: N8nServer;
	let browser: Browser;
	let surroundings: Surroundings;

	beforeAll(async () => {
		const folder = isPinned ? serverFolder() : path.join(stateFolder, 'versions', version);
		const runtime = await createTestRuntime(`n8n-${version}`, { folder, lockFolder });
		server = await startServer(runtime, { environment: olderSettings });
		const client = await signIn(server.url, runtime);
		browser = await launchChromium();
		const size = { width: 1280, height: 900 };
		const context = await openContext(browser, server.url, client.cookie, { size });
		context.setDefaultTimeout(15_000);
		const page = await context.newPage();
		const consoleErrors: string[] = [];
		watchConsole(page, consoleErrors);
		surroundings = await prepare(client, server, { page, consoleErrors });
		sandbox.clearRequests();
		results[version] = {};
	});

	afterAll(async () => {
		await browser?.close();
		await server?.stop();
	});
	keepEvidenceOfFailures(`n8n-${version}`, () => ({
		logFiles: server ? [server.logFile] : [],
		sandbox,
	}));

	test.each(allFeatures)(
		'supports the feature "$name", or records how an older n8n version differs',
		async ({ name, mayDiffer, attempt }) => {
			const difference = await attempt(surroundings).then(() => undefined, messageOf);
			results[version][name] = difference;
			if (!mayDiffer || isPinned) expect(difference).toBeUndefined();
		},
	);
});
