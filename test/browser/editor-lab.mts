import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { CredentialFile, WorkflowFile } from '../n8n/imports.mts';
import { joinSharedN8n } from '../n8n/shared-n8n.mts';
import type { UsedN8n } from '../n8n/n8n-under-test.mts';
import { sandboxCredentials, startSandbox } from '../sandbox/server.mts';
import type { Sandbox } from '../sandbox/server.mts';
import { keepEvidence } from './artifacts.mts';
import { openNode, openWorkflow } from './canvas.mts';
import { launchChromium } from './chromium.mts';
import { watchConsole } from './console-watch.mts';
import { credentialFile } from './fixtures.mts';

/** How many companies the sandbox of every browser test holds. */
export const companies = 2_503;

const defaultSize = { width: 1280, height: 800 };

/** What a browser test file needs. */
export interface EditorLabOptions {
	/** Name of the test file; its artifacts are called after it. */
	name: string;
	/** Made once the sandbox's address is known; one with full access and the id `full` when left out. */
	credentials?: (sandboxUrl: string) => CredentialFile[];
	workflows?: () => Promise<WorkflowFile[]> | WorkflowFile[];
}

/** How a page is opened. */
export interface PageOptions {
	/** Signed in as the owner (the default), or a visitor who has to sign in first. */
	signedIn?: boolean;
	/** What the system prefers, which n8n follows. */
	theme?: 'light' | 'dark';
	/** In pixels. */
	size?: { width: number; height: number };
	/** Pixels of a picture per pixel of the page; 1 when left out. */
	scale?: number;
}

/** Sandbox, n8n and Chromium of one test file. */
export interface EditorLab {
	readonly sandbox: Sandbox;
	readonly n8n: UsedN8n;
	/** Opens a page, which is closed after the test. Its errors fail the test. */
	openPage(options?: PageOptions): Promise<Page>;
	/** Stores a workflow, and opens one of its nodes on a page. */
	openNodeOf(workflow: WorkflowFile, name: string, options?: PageOptions): Promise<Page>;
}

/**
 * Registers the hooks of a browser test file: before all tests a sandbox, its credentials and workflows in the n8n of the
 * whole run, and Chromium; after each test its pages are closed, errors on the browser's console fail it, and a failed test
 * leaves its evidence under test/artifacts/browser.
 *
 * @param options name, credentials and workflows to start with
 */
export function useEditorLab(options: EditorLabOptions): EditorLab {
	let sandbox: Sandbox;
	let n8n: UsedN8n;
	let browser: Browser;
	let contexts: BrowserContext[] = [];
	let problems: string[] = [];

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
		problems = [];
	});

	afterEach(async ({ task }) => {
		const pages = contexts.flatMap((context) => context.pages());
		if (task.result?.state === 'fail' || problems.length > 0) {
			await keepEvidence({ file: options.name, test: task.name, pages, problems, n8n, sandbox });
		}
		await Promise.all(contexts.map((context) => context.close()));
		contexts = [];
		expect(problems, 'errors in the browser').toEqual([]);
	});

	const openPage: EditorLab['openPage'] = async ({
		signedIn = true,
		theme = 'light',
		size = defaultSize,
		scale = 1,
	} = {}) => {
		const context = await browser.newContext({
			baseURL: n8n.server.url,
			viewport: size,
			deviceScaleFactor: scale,
			colorScheme: theme,
			locale: 'en-US',
			reducedMotion: 'reduce',
		});
		contexts.push(context);
		context.setDefaultTimeout(45_000);
		if (signedIn) await context.addCookies(cookiesOf(n8n));
		const page = await context.newPage();
		watchConsole(page, problems);
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
		async openNodeOf(workflow, name, pageOptions) {
			await n8n.store(workflow);
			const page = await openPage(pageOptions);
			await openWorkflow(page, workflow.id);
			await openNode(page, name);
			return page;
		},
	};
}

const withFullAccess = (baseUrl: string): CredentialFile[] => [
	credentialFile('full', 'Full access', { baseUrl, apiKey: sandboxCredentials.v2Full }),
];

function cookiesOf({ client, server }: UsedN8n) {
	return client.cookie.split('; ').map((pair) => {
		const end = pair.indexOf('=');
		return { name: pair.slice(0, end), value: pair.slice(end + 1), url: server.url };
	});
}
