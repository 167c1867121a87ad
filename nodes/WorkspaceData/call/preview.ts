import type { IDataObject } from 'n8n-workflow';

import { writeJson } from '../../shared/client/exact-json';
import { errorJson } from '../../shared/errors/node-errors';
import { explainFor } from '../task';
import { whyNothingIsSent } from './call-hints';
import type { ItemCall } from './call-parameters';
import type { Plan } from './plan';

/** Returns the output item of Preview Only. Its field `sample` contains the exact text of the first request. */
export async function previewOf(plan: Plan): Promise<IDataObject> {
	const { nodeRun, itemCalls, calls, skipped, refused } = plan;
	const whyNothingSent = nodeRun.context.continueOnFail() ? '' : whyNothingIsSent(plan);
	return {
		wouldBeSent: whyNothingSent ? 0 : calls.length,
		...(whyNothingSent && { nothingIsSentBecause: whyNothingSent }),
		items: nodeRun.items.length,
		uniqueRequests: new Set(itemCalls.map(({ key }) => key)).size,
		keptResults: plan.countFrom('keptResult'),
		sharedDuplicates: calls.reduce((sum, { length }) => sum + length - 1, 0),
		skippedByLimit: skipped.length,
		withoutField: Object.fromEntries(plan.countEmptyFields()),
		refused: refused.length,
		refusedItems: await refusedItems(plan),
		inputFields: plan.inputFields,
		...(calls.length > 0 && { sample: sampleOf(calls[0][0]) }),
	};
}

/** Returns why items are invalid. A reason that many items share, such as a missing column, is listed once. */
async function refusedItems({ nodeRun, refused }: Plan): Promise<IDataObject[]> {
	const reasons = new Map<string, IDataObject & { itemIndexes: number[] }>();
	for (const { index, error } of refused) {
		const { error: title, message } = errorJson(await explainFor(nodeRun, error, index));
		const reason = `${title as string} ${message as string}`.replaceAll(`[item ${index}]`, '');
		const known = reasons.get(reason);
		if (known) known.itemIndexes.push(index);
		else reasons.set(reason, { count: 0, error: title, message, itemIndexes: [index] });
	}
	return [...reasons.values()].map((reason) => ({ ...reason, count: reason.itemIndexes.length }));
}

function sampleOf({ request: { method, path, query, bodyText: body } }: ItemCall): IDataObject {
	return { method, path, ...(query ? { query: writeJson(query) } : { body }) };
}
