import { expect, test } from 'vitest';
import { newWorkflowId, readExamples } from '../../test/n8n/imports.mts';
import type { Examples } from '../../test/n8n/imports.mts';
import { nodeOnCanvas, openWorkflow } from '../../test/browser/canvas.mts';
import { companies, useEditorLab } from '../../test/browser/editor-lab.mts';
import { nodeName, workflowWithNode } from '../../test/browser/fixtures.mts';
import {
	closeMessages,
	itemsShown,
	runStep,
	visibleParameters,
	widenOutput,
} from '../../test/browser/panel.mts';
import { areaAround, areaBetween, areaOf, takeDocumentPicture } from './document-pictures.mts';
import { wirings, workflowOf } from './wiring.mts';

let examples: Examples;

const lab = useEditorLab({
	name: 'pictures',
	workflows: async () => {
		examples = await readExamples(newWorkflowId);
		return Object.values(examples);
	},
});

const exportExample = 'scheduled-export-of-companies';

test("takes the picture node-panel.png of the node's parameters and its output", async () => {
	const workflow = workflowWithNode({ returnAll: true });
	const size = { width: 1450, height: 720 };
	const page = await lab.openNodeOf(workflow, nodeName, { size });
	await expect.poll(() => visibleParameters(page)).toContain('Return All');
	await widenOutput(page);
	await runStep(page);
	expect(await itemsShown(page)).toContain(`${companies} items`);

	const panel = await areaOf(page.getByTestId('ndv'));
	const parameters = await areaOf(page.getByTestId('node-parameters'));
	const tabs = await areaOf(page.getByTestId('tab-params'));
	// Show only the parameters and the output. The input panel has nothing of interest.
	const area = areaBetween(
		{ x: parameters.x, y: tabs.y - 14 },
		{ x: panel.x + panel.width, y: panel.y + panel.height - 2 },
	);
	await takeDocumentPicture(page, 'node-panel', area);
});

test('takes the picture workflow.png of the canvas after a run of the scheduled export', async () => {
	const page = await lab.openPage({ scale: 1.6 });
	await openWorkflow(page, examples[exportExample].id);
	await page.getByTestId('execute-workflow-button').click();
	await nodeOnCanvas(page, 'Get all companies').getByTestId('canvas-node-status-success').waitFor();
	await page.getByTestId('stop-execution-button').waitFor({ state: 'detached' });
	await closeMessages(page);

	const area = await areaAround(page.getByTestId('canvas-node'), {
		top: 40,
		right: 120,
		bottom: 70,
		left: 80,
	});
	await takeDocumentPicture(page, 'workflow', area);
});

test('takes the picture spreadsheet.png of the example in docs/from-a-spreadsheet.md', async () => {
	const page = await lab.openPage({ size: { width: 1_700, height: 860 } });
	await openWorkflow(page, examples['enrich-a-spreadsheet'].id);
	// Leave out the sticky note above the nodes, because docs/from-a-spreadsheet.md explains more.
	const margins = { top: 10, right: 40, bottom: 50, left: 40 };
	const area = await areaAround(page.getByTestId('canvas-node'), margins);
	await takeDocumentPicture(page, 'spreadsheet', area);
});

test.each(wirings)('takes the picture "$name" of right and wrong workflows', async (wiring) => {
	const page = await lab.openPage({ size: { width: 1_450, height: 860 } });
	const workflow = workflowOf(wiring);
	await lab.n8n.store(workflow);
	await openWorkflow(page, workflow.id);
	// Elements on the canvas: nodes and two sticky notes.
	const shown = page.locator('.vue-flow__node');
	await expect.poll(() => shown.count()).toBe(wiring.parts.length + 2);
	const area = await areaAround(shown, { top: 8, right: 8, bottom: 8, left: 8 });
	await takeDocumentPicture(page, wiring.name, area);
});
