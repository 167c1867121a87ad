import type { IDataObject, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { writeJson } from '../../client/exact-json';
import { errorJson } from '../../common/errors';
import type { Plan, PlannedCall } from './plan';

/**
 * What a run would do, as the fields of an item.
 *
 * @param items how many the input has
 * @param explain makes the error that a user would see for an item
 */
export async function previewOf(
	plan: Plan,
	items: number,
	explain: (error: unknown, itemIndex: number) => Promise<NodeApiError | NodeOperationError>,
): Promise<IDataObject> {
	const { calls, different, kept, shared, skipped, refused } = plan;
	const refusedItems: IDataObject[] = [];
	for (const { index: itemIndex, error } of refused) {
		const { error: what, message } = errorJson(await explain(error, itemIndex));
		refusedItems.push({ itemIndex, error: what, message });
	}
	const twins = calls.reduce((sum, call) => sum + call.items.length - 1, 0);
	return {
		items,
		uniqueRequests: different.size,
		wouldBeSent: calls.length,
		keptResults: kept.length,
		sharedDuplicates: shared.length + twins,
		skippedByMaxCalls: skipped.length,
		refused: refused.length,
		refusedItems,
		...sampleOf(calls[0]),
	};
}

/** The first request, its body as the very text that would be sent. */
function sampleOf(call: PlannedCall | undefined): IDataObject {
	if (call === undefined) return {};
	const { method, path, query, bodyText } = call.request;
	const sample: IDataObject = { method, path };
	if (bodyText !== undefined) sample.body = bodyText;
	if (query !== undefined) sample.query = writeJson(query);
	return { sample };
}
