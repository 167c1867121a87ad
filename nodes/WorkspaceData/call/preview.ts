import type { IDataObject } from 'n8n-workflow';

import { writeJson } from '../../shared/client/exact-json';
import { errorJson } from '../../shared/errors/node-errors';
import { explainFor } from '../task';
import { whyNothingIsSent } from './call-hints';
import type { ItemCall } from './call-parameters';
import type { Plan } from './plan';

/** What a run would do, as the fields of an item; the first request with the very text that would be sent. */
export async function previewOf(plan: Plan): Promise<IDataObject> {
	const { nodeRun, asked, calls, skipped, refused } = plan;
	const whyNothing = nodeRun.context.continueOnFail() ? '' : whyNothingIsSent(plan);
	return {
		wouldBeSent: whyNothing ? 0 : calls.length,
		...(whyNothing && { nothingIsSentBecause: whyNothing }),
		items: nodeRun.items.length,
		uniqueRequests: new Set(asked.map(({ key }) => key)).size,
		keptResults: plan.answeredFrom('keptResult'),
		sharedDuplicates: calls.reduce((sum, { length }) => sum + length - 1, 0),
		skippedByLimit: skipped.length,
		withoutField: Object.fromEntries(plan.withoutField()),
		refused: refused.length,
		refusedItems: await refusedItems(plan),
		inputFields: plan.inputFields,
		...(calls.length > 0 && { sample: sampleOf(calls[0][0]) }),
	};
}

/** Why items would be refused: a reason that holds for many, such as a column of another name, is told once. */
async function refusedItems({ nodeRun, refused }: Plan): Promise<IDataObject[]> {
	const reasons = new Map<string, IDataObject & { itemIndexes: number[] }>();
	for (const { index, error } of refused) {
		const { error: what, message } = errorJson(await explainFor(nodeRun, error, index));
		const reason = `${what as string} ${message as string}`.replaceAll(`[item ${index}]`, '');
		const known = reasons.get(reason);
		if (known) known.itemIndexes.push(index);
		else reasons.set(reason, { count: 0, error: what, message, itemIndexes: [index] });
	}
	return [...reasons.values()].map((reason) => ({ ...reason, count: reason.itemIndexes.length }));
}

function sampleOf({ request: { method, path, query, bodyText: body } }: ItemCall): IDataObject {
	return { method, path, ...(query ? { query: writeJson(query) } : { body }) };
}
