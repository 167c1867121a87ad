import { readFile, rm, writeFile } from 'node:fs/promises';
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
import { credentialFile, sandboxCredential, sandboxCredentialFile } from '../imports.mts';
import { buildPackage, installTarball, packPackage } from '../package-tarball.mts';
import { pinnedFolder, repositoryFolder, stateFolder } from '../paths.mts';
import { createProgress } from '../progress.mts';
import { signIn } from '../rest.mts';
import type { Execution, RestClient } from '../rest.mts';
import { storeCredentials, storeWorkflow } from '../rest-setup.mts';
import { prepareUserFolder } from '../runtime.mts';
import type { Runtime } from '../runtime.mts';
import { startScriptedModel } from '../scripted-model.mts';
import type { ScriptedModel } from '../scripted-model.mts';
import { startServer } from '../server.mts';
import type { N8nServer } from '../server.mts';
import type { RunnableWorkflow } from '../workflows.mts';
import { allFeatures } from './all-features.mts';
import { companies, orders, otherKindId } from './feature.mts';
import type { Surroundings } from './feature.mts';
import { installVersion, triedVersions } from './install.mts';
import type { TriedVersion } from './install.mts';
import { compatibilityPage, compatibilityTable } from './table.mts';
import type { Results } from './table.mts';

/** Older versions refuse to start with a module name that they do not know. */
const olderSettings = { N8N_DISABLED_MODULES: '' };

const progress = createProgress();
const results: Results = {};
let sandbox: Sandbox;
let model: ScriptedModel;
let tarball: string;

beforeAll(async () => {
	sandbox = await startSandbox({ companies, orders });
	model = await startScriptedModel();
	await buildPackage(progress);
	tarball = await packPackage();
});

afterEach(() => {
	sandbox.clearFaults();
	sandbox.setUnkind({});
	sandbox.clearRequests();
});

afterAll(async () => {
	await sandbox.stop();
	await model.stop();
	const isWhole = Object.values(results).every(
		(row) => Object.keys(row).length === allFeatures.length,
	);
	console.log(compatibilityTable(results));
	// A run of some tests only (`vitest -t`) must not leave gaps in the page.
	if (!isWhole || Object.keys(results).length !== triedVersions().length) return;
	await writeFile(path.join(repositoryFolder, 'docs/compatibility.md'), compatibilityPage(results));
});

/** Installs a version of n8n, and the tarball in it. */
async function createRuntime(tried: TriedVersion): Promise<Runtime> {
	const serverFolder = await installVersion(tried, progress);
	const userFolder = path.join(stateFolder, 'tests', `n8n-${tried.version}`);
	const runtime = { serverFolder, userFolder };
	await rm(userFolder, { recursive: true, force: true });
	await prepareUserFolder(runtime);
	await installTarball(tarball, runtime);
	return runtime;
}

/** Stores the credentials and workflows. */
async function prepare(
	client: RestClient,
	server: N8nServer,
	editor: Pick<Surroundings, 'page' | 'consoleErrors'>,
): Promise<Surroundings> {
	const credentials = await storeCredentials(client, [
		sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Full),
		credentialFile(otherKindId, otherKindId, {
			baseUrl: sandbox.url,
			apiVersion: 'v1',
			accessToken: sandboxCredentials.v2Full,
		}),
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
		// Older versions of n8n want the workflow itself in the request.
		const body = {
			workflowData: workflow,
			triggerToStartFrom: { name: workflow.nodes[0].name },
		};
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
		readJson: async (file) => {
			const response = await fetch(`${server.url}${file}`, { headers: { cookie: client.cookie } });
			return response.ok ? await response.json() : undefined;
		},
		readLog: () => readFile(server.logFile, 'utf8'),
		...editor,
	};
}

/** n8n 1.x says "success" a moment before it has stored the data. */
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

describe.each(triedVersions())('n8n $version', (tried) => {
	let server: N8nServer;
	let browser: Browser;
	let surroundings: Surroundings;

	beforeAll(async () => {
		const runtime = await createRuntime(tried);
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
		results[tried.version] = {};
	});

	afterAll(async () => {
		await browser?.close();
		await server?.stop();
	});
	keepEvidenceOfFailures(`n8n-${tried.version}`, () => ({
		logFiles: server ? [server.logFile] : [],
		sandbox,
	}));

	test.each(allFeatures)('$name', async ({ name, mayDiffer, attempt }) => {
		const difference = await attempt(surroundings).catch((error: unknown) => String(error));
		results[tried.version][name] = difference;
		const mustWork = !mayDiffer || tried.lockFolder === pinnedFolder;
		if (mustWork) expect(difference).toBeUndefined();
	});
});
