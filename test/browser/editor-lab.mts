import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { keepEvidence } from '../n8n/artifacts.mts';
import { credentialFile, type CredentialFile, type WorkflowFile } from '../n8n/imports.mts';
import { joinSharedN8n } from '../n8n/shared-n8n.mts';
import type { UsedN8n } from '../n8n/n8n-under-test.mts';
import { sandboxCredentials, startSandbox, type Sandbox } from '../sandbox/server.mts';
import { artifactsFolder, takePicture } from './artifacts.mts';
import { openNode, openWorkflow } from './canvas.mts';
import { launchChromium, openContext, type Appearance } from './chromium.mts';
import { watchConsole } from './console-watch.mts';
import { nodeName, workflowWithNode } from './fixtures.mts';
import { parameter } from './panel.mts';

/** How many companies the sandbox of every browser test holds. */
export const companies = 2_503;

const defaultSize = { width: 1280, height: 800 };

/**
 * Registers the hooks of a browser test file: before all tests a sandbox, its credentials and workflows in the n8n of the
 * whole run, and Chromium; errors on the browser's console fail a test, and a failed test leaves its evidence under
 * test/artifacts/browser and its pages to nobody.
 *
 * @param options.name name of the test file; its artifacts are called after it
 * @param options.credentials made once the sandbox's address is known; one with full access and the id `full` when left out
 */
export function useEditorLab(options: {
	name: string;
	credentials?: (sandboxUrl: string) => CredentialFile[];
	workflows?: () => Promise<WorkflowFile[]>;
}) {
	let sandbox: Sandbox;
	let n8n: UsedN8n;
	let browser: Browser;
	/** By how they are shown. */
	const pages = new Map<string, Page>();
	const problems: string[] = [];

	beforeAll(async () => {
		browser = await launchChromium();
		sandbox = await startSandbox({ companies });
		const credentials = (options.credentials ?? withFullAccess)(sandbox.url);
		n8n = await joinSharedN8n(credentials, (await options.workflows?.()) ?? []);
	});

	afterAll(async () => {
		await browser?.close();
		await n8n?.stop();
		await sandbox?.stop();
	});

	beforeEach(() => {
		sandbox.clearRequests();
		sandbox.clearFaults();
		problems.length = 0;
	});

	afterEach(async ({ task }) => {
		if (task.result?.state !== 'fail' && problems.length === 0) return;
		const folder = `failed/${options.name} ${task.name}`.replaceAll(/[^\w/]+/g, '-');
		const logFiles = [n8n.server.logFile];
		await keepEvidence(path.join(artifactsFolder, folder), { logFiles, sandbox });
		for (const page of pages.values()) {
			await takePicture(page, 'failed', options.name, task.name);
			await page.context().close();
		}
		pages.clear();
		expect(problems, 'errors in the browser').toEqual([]);
	});

	const newPage = async (cookie: string, appearance?: Appearance): Promise<Page> => {
		const context = await openContext(browser, n8n.server.url, cookie, appearance);
		context.setDefaultTimeout(45_000);
		const page = await context.newPage();
		watchConsole(page, problems);
		return page;
	};
	/** A page on which the owner is signed in. The editor stays loaded on it from test to test. Its errors fail the test. */
	const openPage = async ({ size = defaultSize, ...appearance }: Appearance = {}) => {
		const key = JSON.stringify(appearance);
		const page = pages.get(key) ?? (await newPage(n8n.client.cookie, appearance));
		pages.set(key, page);
		await page.setViewportSize(size);
		return page;
	};

	/** Stores a workflow, and opens one of its nodes on a page. */
	const openNodeOf = async (workflow: WorkflowFile, name: string, appearance?: Appearance) => {
		await n8n.store(workflow);
		const page = await openPage(appearance);
		await openWorkflow(page, workflow.id);
		await openNode(page, name);
		return page;
	};

	return {
		get sandbox() {
			return sandbox;
		},
		get n8n() {
			return n8n;
		},
		openPage,
		/** A page of a visitor, who has to sign in first. */
		openVisitorsPage: async () => {
			const page = await newPage('');
			pages.set('visitor', page);
			return page;
		},
		openNodeOf,
		/** Opens the node as it is when new. Each time in a workflow of its own: n8n saves every change at once. */
		async openPanel(size: Appearance['size']) {
			const page = await openNodeOf(workflowWithNode({}), nodeName, { size });
			await parameter(page, 'operation').waitFor();
			return page;
		},
	};
}

const withFullAccess = (baseUrl: string): CredentialFile[] => [
	credentialFile('full', 'Full access', { baseUrl, apiKey: sandboxCredentials.v2Full }),
];
