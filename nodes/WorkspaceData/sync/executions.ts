import { randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../../client/envelope';

/** Where an execution remembers what it has read. n8n keeps it through waits, and for a retry from the list. */
const FLOW_KEY = 'workspaceDataSyncs';

/** What an execution has last read of a sync. */
export interface Read {
	/** Who has written the place that is to be confirmed; null once nothing is left to confirm. */
	owner: string | null;
	/** How many records Get Changes returned, and in how many items. */
	records: number;
	items: number;
}

/** Who reads: the execution. */
export function ownerOf(context: IExecuteFunctions): string {
	return context.getExecutionId() || randomUUID();
}

/** This execution has read a sync, or has confirmed it. */
export function noteRead(context: IExecuteFunctions, key: string, read: Read): void {
	context.getContext('flow')[FLOW_KEY] = { ...readsOf(context), [key]: read };
}

/** What this execution has read, by the key of the sync. */
export function readsOf(context: IExecuteFunctions): Record<string, Read> {
	const reads: unknown = context.getContext('flow')[FLOW_KEY];
	return isObject(reads) ? (reads as Record<string, Read>) : {};
}
