import type {
	IDataObject,
	IExecuteFunctions,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { canonicalJson } from '../../common/canonical-json';
import { writeJson } from '../../client/exact-json';
import { readPreviewOnly } from './parameters';
import { readOptions } from '../../common/parameters';
import { prepareCall, type PreparedCall } from './run';
import type { Task } from '../task';

/** Makes the error that a user would see for an item. */
type Explain = (error: unknown, itemIndex: number) => Promise<NodeApiError | NodeOperationError>;

/** Whether the run only says what would be sent. What the first item says holds for all. */
export function isPreview(context: IExecuteFunctions): boolean {
	try {
		const get = (name: string, fallback?: unknown): unknown =>
			context.getNodeParameter(name, 0, fallback);
		return readPreviewOnly(readOptions(get));
	} catch {
		// Nothing is sent for an item whose options cannot be read: each says so itself.
		return false;
	}
}

/** Says what the calls of all items would be; sends nothing. */
export async function previewOf(tasks: readonly Task[], explain: Explain): Promise<IDataObject> {
	const calls: PreparedCall[] = [];
	const refusedItems: IDataObject[] = [];
	for (const task of tasks) {
		const { itemIndex } = task;
		try {
			calls.push(prepareCall(task));
		} catch (error) {
			const { message, description } = await explain(error, itemIndex);
			refusedItems.push({ itemIndex, error: message, message: description ?? message });
		}
	}
	return {
		items: tasks.length,
		...countsOf(calls),
		refused: refusedItems.length,
		refusedItems,
		...sampleOf(calls[0]),
	};
}

/** Counts as a run does. */
function countsOf(calls: readonly PreparedCall[]): IDataObject {
	const different = new Set<string>();
	const sharable = new Set<string>();
	let wouldBeSent = 0;
	let shared = 0;
	let left = 0;
	for (const { content, parameters } of calls) {
		const key = canonicalJson(content);
		different.add(key);
		if (sharable.has(key) && parameters.sendIdenticalOnce) shared += 1;
		else if (wouldBeSent >= (parameters.maxCalls ?? Infinity)) left += 1;
		else {
			wouldBeSent += 1;
			if (parameters.sendIdenticalOnce) sharable.add(key);
		}
	}
	return { differentRequests: different.size, wouldBeSent, shared, left };
}

/** The first request, its body as the very text that would be sent. */
function sampleOf(call: PreparedCall | undefined): IDataObject {
	if (call === undefined) return {};
	const { method, path, query, bodyText } = call.request;
	const sample: IDataObject = { method, path };
	if (bodyText !== undefined) sample.body = bodyText;
	if (query !== undefined) sample.query = writeJson(query);
	return { sample };
}
