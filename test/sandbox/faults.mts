import { parseRecord, serializeRecord } from './exact-json.mts';
import type { Fault, FaultAction, FaultTransform } from './types.mts';

/** What a fault does where its action is not given. */
export function actionOf(fault: Fault): FaultAction {
	if (fault.action !== undefined) return fault.action;
	const hasAnswer =
		fault.status !== undefined || fault.body !== undefined || fault.headers !== undefined;
	const isGentle = fault.transform !== undefined || fault.delayMs !== undefined;
	return isGentle && !hasAnswer ? 'delay' : 'respond';
}

/** The scripted faults that are waiting for their requests. */
export class FaultScript {
	private waiting: { fault: Fault; skip: number; times: number }[] = [];

	add(fault: Fault): void {
		this.waiting.push({ fault, skip: fault.skip ?? 0, times: fault.times ?? 1 });
	}

	clear(): void {
		this.waiting = [];
	}

	/** The fault for a request, if any. Those that let it pass count it. */
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
 * Alters the text of a right answer. `cursor` is the one the request carried; without one, repeatCursor leaves
 * the answer as it is, so that the repetition starts with the second page.
 */
export function transformAnswer(
	text: string,
	transform: FaultTransform,
	cursor: string | undefined,
): string {
	const answer = parseRecord(text) as Envelope;
	const pagination = answer.meta?.pagination;
	if (transform === 'dropItems') delete answer.data?.items;
	if (transform === 'dropPagination') delete answer.meta?.pagination;
	if (transform === 'repeatCursor' && pagination && cursor !== undefined) {
		pagination.next_cursor = cursor;
	}
	if (transform === 'stuckPage' && pagination) pagination.page = 1;
	if (transform === 'successFalse') {
		answer.success = false;
		answer.error = { code: 'internal_error', message: 'The request failed (scripted fault).' };
	}
	return serializeRecord(answer);
}
