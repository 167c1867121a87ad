import { parseRecord, serializeRecord } from './exact-json.mts';
import type { Fault, FaultAction, FaultTransform } from './types.mts';

/** Returns the action of a fault, or the default action if the fault has none. */
export function actionOf(fault: Fault): FaultAction {
	if (fault.action !== undefined) return fault.action;
	const hasResponse =
		fault.status !== undefined || fault.body !== undefined || fault.headers !== undefined;
	const altersOnly = fault.transform !== undefined || fault.delayMs !== undefined;
	return altersOnly && !hasResponse ? 'delay' : 'respond';
}

/** Scripted faults that tests have added, each with the number of requests that it still skips and affects. */
export class FaultScript {
	private waiting: { fault: Fault; skip: number; times: number }[] = [];

	add(fault: Fault): void {
		this.waiting.push({ fault, skip: fault.skip ?? 0, times: fault.times ?? 1 });
	}

	clear(): void {
		this.waiting = [];
	}

	/**
	 * Returns the fault that applies to a request, or undefined. A matching fault that still has requests to skip
	 * counts this request as skipped.
	 */
	next(method: string, path: string, body = ''): Fault | undefined {
		for (const entry of this.waiting) {
			const { fault } = entry;
			const isMatch =
				(fault.method === undefined || fault.method.toUpperCase() === method) &&
				(fault.path === undefined || fault.path === path) &&
				body.includes(fault.bodyHas ?? '') &&
				entry.times > 0;
			if (!isMatch) continue;
			if (entry.skip > 0) {
				entry.skip--;
				continue;
			}
			entry.times--;
			return fault;
		}
		return undefined;
	}
}

interface Envelope {
	success?: boolean;
	error?: unknown;
	data?: { items?: unknown };
	meta?: { ctx_id?: string; pagination?: { page?: number; next_cursor?: string } };
}

/**
 * Applies a transform to the JSON text of a successful response.
 * @param cursor the cursor in the request, which `repeatCursor` returns as the next cursor. Undefined on the first
 * page, which `repeatCursor` does not change
 */
export function transformResponse(
	text: string,
	transform: FaultTransform,
	cursor: string | undefined,
): string {
	const response = parseRecord(text) as Envelope;
	const pagination = response.meta?.pagination;
	if (transform === 'dropItems') delete response.data?.items;
	if (transform === 'dropPagination') delete response.meta?.pagination;
	if (transform === 'repeatCursor' && pagination && cursor !== undefined) {
		pagination.next_cursor = cursor;
	}
	if (transform === 'stuckPage' && pagination) pagination.page = 1;
	if (transform === 'successFalse') {
		response.success = false;
		response.error = { code: 'internal_error', message: 'The request failed (scripted fault).' };
	}
	return serializeRecord(response);
}
