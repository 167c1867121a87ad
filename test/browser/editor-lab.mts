import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import type { WorkflowFile } from '../n8n/imports.mts';
import { useLab, type LabOptions } from '../n8n/lab.mts';
import { takePicture } from './artifacts.mts';
import { openNode, openWorkflow } from './canvas.mts';
import { launchChromium, openContext, type Appearance } from './chromium.mts';
import { watchConsole } from './console-watch.mts';
import { nodeName, workflowWithNode } from './fixtures.mts';
import { parameter } from './panel.mts';

/** Number of companies in the sandbox (the simulated service) of every browser test. */
export const companies = 2_503;

const defaultSize = { width: 1280, height: 800 };

/**
 * Registers the hooks of a browser test file. They start a sandbox (the simulated service) and Chromium, and store
 * credentials and workflows in an n8n that all browser tests share. A test fails if the browser's console shows an
 * error. A failed test stores pictures and logs in test/artifacts/browser.
 * @param options.name name of the test file, and of the folder for its pictures and logs
 */
export function useEditorLab(options: Omit<LabOptions, 'sandbox'>) {
	let browser: Browser;
	/** Open pages by appearance, so that the editor stays loaded between tests. */
	const pages = new Map<string, Page>();
	const problems: string[] = [];
	const lab = useLab({ ...options, name: `browser/${options.name}`, sandbox: { companies } });

	beforeAll(async () => void (browser = await launchChromium()));
	afterAll(async () => await browser?.close());
	beforeEach(() => void (problems.length = 0));
	afterEach(async ({ task }) => {
		if (task.result?.state !== 'fail' && problems.length === 0) return;
		for (const page of pages.values()) {
			await takePicture(page, 'failed', options.name, task.name);
			await page.context().close();
		}
		pages.clear();
		expect(problems, 'errors in the browser').toEqual([]);
	});

	const newPage = async (cookie: string, appearance?: Appearance): Promise<Page> => {
		const context = await openContext(browser, lab.n8n.server.url, cookie, appearance);
		context.setDefaultTimeout(45_000);
		const page = await context.newPage();
		watchConsole(page, problems);
		return page;
	};
	/** Returns a page of the editor on which the owner is signed in. The page stays loaded between tests. */
	const openPage = async ({ size = defaultSize, ...appearance }: Appearance = {}) => {
		const key = JSON.stringify(appearance);
		const page = pages.get(key) ?? (await newPage(lab.client.cookie, appearance));
		pages.set(key, page);
		await page.setViewportSize(size);
		return page;
	};

	/** Stores a workflow, opens it in the editor, and opens one of its nodes. */
	const openNodeOf = async (workflow: WorkflowFile, name: string, appearance?: Appearance) => {
		await lab.n8n.store(workflow);
		const page = await openPage(appearance);
		await openWorkflow(page, workflow.id);
		await openNode(page, name);
		return page;
	};

	return Object.assign(lab, {
		openPage,
		/** Opens a page on which no user is signed in. */
		openVisitorsPage: async () => {
			const page = await newPage('');
			pages.set('visitor', page);
			return page;
		},
		openNodeOf,
		/** Opens the panel of a new node in a new workflow, because n8n saves every change of a node at once. */
		async openPanel(size: Appearance['size']) {
			const page = await openNodeOf(workflowWithNode({}), nodeName, { size });
			await parameter(page, 'operation').waitFor();
			return page;
		},
	});
}
