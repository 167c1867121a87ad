import type { FastifyRequest } from 'fastify';
import { parseRecord, serializeRecord } from './exact-json.mts';

/** The credential values that a request carried, as one text. */
export function secretsOf({ headers }: FastifyRequest): string {
	const key = String(headers.authorization ?? '').replace(/^Bearer /, '');
	return [key, String(headers['x-workspace-code'] ?? '')].filter((text) => text !== '').join(' ');
}

interface Answer {
	error?: { message?: string; details?: unknown };
	meta?: { ctx_id?: string; request?: unknown; pagination?: { next_cursor?: string } };
	request?: unknown;
}

function isObject(value: unknown): value is object {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): object | undefined {
	try {
		const value: unknown = parseRecord(text);
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/**
 * An answer of a service that is careless with secrets: they stand in meta.ctx_id, in fields that the
 * specification does not name, in error messages, and in next_cursor of failed answers; in a text that is not
 * JSON they come at the end. The data stays as it is.
 */
export function withSecrets(text: string, status: number, secrets: string): string {
	if (secrets === '' || text === '') return text;
	const answer = parsed(text) as Answer | undefined;
	if (answer === undefined) return `${text}\n${secrets}`;
	const meta = isObject(answer.meta) ? answer.meta : {};
	answer.meta = { ...meta, ctx_id: `${meta.ctx_id ?? 'ctx'}_${secrets}`, request: { secrets } };
	answer.request = { authorization: `Bearer ${secrets}` };
	if (isObject(answer.error)) {
		answer.error.message = `${answer.error.message ?? 'Failed'} (sent with ${secrets})`;
		answer.error.details = [{ key: secrets }];
	}
	if (status !== 200 || isObject(answer.error)) {
		answer.meta.pagination = { ...answer.meta.pagination, next_cursor: secrets };
	}
	return serializeRecord(answer);
}
