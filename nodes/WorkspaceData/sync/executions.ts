import { randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../../client/envelope';

/** Where an execution remembers which syncs it has read. n8n keeps it through waits, and for a retry from the list. */
const FLOW_KEY = 'workspaceDataSyncs';

/** Who reads: the execution. */
export function ownerOf(context: IExecuteFunctions): string {
	return context.getExecutionId() || randomUUID();
}

/** This execution has read changes of a sync, as this owner. */
export function noteRead(context: IExecuteFunctions, key: string, owner: string): void {
	context.getContext('flow')[FLOW_KEY] = { ...readsOf(context), [key]: owner };
}

/** The syncs of which this execution has read changes that are not confirmed, each with its owner. */
export function readsOf(context: IExecuteFunctions): Record<string, string> {
	const reads: unknown = context.getContext('flow')[FLOW_KEY];
	return isObject(reads) ? (reads as Record<string, string>) : {};
}

/** There is nothing left to confirm of a sync. */
export function forgetRead(context: IExecuteFunctions, key: string): void {
	const others = Object.entries(readsOf(context)).filter(([other]) => other !== key);
	context.getContext('flow')[FLOW_KEY] = Object.fromEntries(others);
}
