import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NoResponse } from './list-plan.mts';
import { ApiError, errorBody } from './api-error.mts';
import { authenticate, credentialLabel, withoutSecrets } from './authentication.mts';
import { createDataset, createOtherDataset, type Dataset } from './dataset.mts';
import type { ApiCall, Endpoint } from './endpoint.mts';
import { actionOf, FaultScript, transformResponse } from './faults.mts';
import { hashOf } from './hashing.mts';
import { objectTypeNames } from './object-types.mts';
import { rateLimit } from './rate-limit.mts';
import { RequestLog } from './request-log.mts';
import { callNames } from './routes-calls.mts';
import {
	type Fault,
	type LoggedRequest,
	type ProcessedCalls,
	type SandboxOptions,
	type Quirks,
} from './types.mts';

const jsonType = 'application/json; charset=utf-8';

interface ApiResponse {
	status: number;
	headers: Record<string, string>;
	text: string;
}

function parsedOrRaw(rawBody: string | undefined): unknown {
	if (rawBody === undefined) return null;
	try {
		return JSON.parse(rawBody);
	} catch {
		return rawBody;
	}
}

function textValues(query: Record<string, unknown>): Record<string, string> {
	return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
}

function cursorOf(entry: LoggedRequest): string | undefined {
	const body = entry.body as { cursor?: unknown } | null;
	const cursor = entry.query.cursor ?? body?.cursor;
	return typeof cursor === 'string' ? cursor : undefined;
}

/**
 * Handles API requests. Each request passes the log, scripted faults, latency, rate limit and authentication, and then
 * its endpoint.
 */
export class Api {
	readonly log = new RequestLog();
	readonly faults = new FaultScript();
	readonly calls = Object.fromEntries(
		callNames.map((name) => [name, []]),
	) as unknown as ProcessedCalls;
	readonly dataset: Dataset;
	readonly otherDataset: Dataset;
	latencyMs: number;
	/** Returns an extra latency for each request, in ms. If undefined, requests have no extra latency. */
	jitterMs?: () => number;
	private countRequest: (() => void) | undefined;
	private quirks: Quirks = {};
	private responses = 0;

	constructor(options: SandboxOptions) {
		this.dataset = createDataset(options);
		this.otherDataset = createOtherDataset(options);
		this.latencyMs = options.latencyMs ?? 0;
		this.setQuirks(options.quirks ?? {});
	}

	/** Replaces all quirks (unusual behaviour of the service), and restarts the rate limit. */
	setQuirks(settings: Quirks): void {
		this.quirks = settings;
		this.countRequest = settings.rateLimit && rateLimit(settings.rateLimit);
		for (const { tables } of [this.dataset, this.otherDataset]) {
			for (const objectType of objectTypeNames) tables[objectType].setQuirks(this.quirks);
		}
	}

	/** Clears the logged requests and the processed calls. */
	clear(): void {
		this.log.clear();
		for (const bodies of Object.values(this.calls)) bodies.length = 0;
	}

	/**
	 * Handles one request. `endpoint` is the endpoint for its method and path, or the error to send if there is no such
	 * endpoint.
	 */
	async serve(
		request: FastifyRequest,
		reply: FastifyReply,
		endpoint: Endpoint | ApiError,
	): Promise<FastifyReply> {
		const path = pathOf(request);
		const rawBody = typeof request.body === 'string' ? request.body : undefined;
		const entry = this.log.begin({
			method: request.method,
			path,
			query: textValues(request.query as Record<string, unknown>),
			body: parsedOrRaw(rawBody),
			headers: withoutSecrets(request.headers),
			credential: credentialLabel(request.headers),
		});
		reply.raw.once('close', () => this.markClosed(entry, reply));
		const contextId = this.nextContextId();
		const fault = this.faults.next(request.method, path, rawBody);
		const delay = this.latencyMs + (this.jitterMs?.() ?? 0) + (fault?.delayMs ?? 0);
		if (delay > 0) await wait(delay);
		const action = fault ? actionOf(fault) : 'delay';
		if (action === 'hang') return reply.hijack();
		if (action === 'reset') return this.reset(entry, reply);
		const response: ApiResponse | undefined =
			fault && action === 'respond'
				? this.scriptedResponse(fault, contextId)
				: await this.handle(request, rawBody, endpoint, contextId);
		if (response === undefined) return reply.hijack();
		if (fault?.transform && response.status === 200) {
			response.text = transformResponse(response.text, fault.transform, cursorOf(entry));
		}
		if (action === 'resetAfterHandling') return this.reset(entry, reply);
		if (action === 'truncate') return this.truncate(entry, reply, response);
		this.log.end(entry, response.status);
		// Send a buffer, because Node.js takes twice as long to send a long string, which would slow down the
		// benchmarks.
		return reply.code(response.status).headers(response.headers).send(Buffer.from(response.text));
	}

	private async handle(
		request: FastifyRequest,
		rawBody: string | undefined,
		endpoint: Endpoint | ApiError,
		contextId: string,
	): Promise<ApiResponse | undefined> {
		const headers = { 'content-type': jsonType };
		try {
			if (endpoint instanceof ApiError) throw endpoint;
			this.countRequest?.();
			const caller = authenticate(request.headers, endpoint.access);
			const call: ApiCall = {
				method: request.method,
				query: request.query as Record<string, unknown>,
				params: request.params as Record<string, string>,
				rawBody,
				caller,
				contextId,
				dataset: caller.isOtherWorkspace ? this.otherDataset : this.dataset,
				quirks: this.quirks,
				generation: 0,
			};
			const text = endpoint.handle(call);
			// For a call without a body, record the values in the query and the path instead.
			if (endpoint.recordedAs) {
				const addressValues = { ...call.query, ...call.params };
				this.calls[endpoint.recordedAs].push(rawBody ? JSON.parse(rawBody) : addressValues);
			}
			return { status: 200, headers, text };
		} catch (error) {
			if (error instanceof NoResponse) return undefined;
			if (!(error instanceof ApiError)) throw error;
			const text = errorBody(error.code, error.message, contextId);
			return { status: error.status, headers: { ...headers, ...error.headers }, text };
		}
	}

	private scriptedResponse(fault: Fault, contextId: string): ApiResponse {
		const { body } = fault;
		const ownText = typeof body === 'string' ? body : JSON.stringify(body);
		return {
			status: fault.status ?? (body === undefined ? 500 : 200),
			headers: { 'content-type': fault.contentType ?? jsonType, ...fault.headers },
			text: ownText ?? errorBody('scripted_fault', 'A scripted fault of the sandbox.', contextId),
		};
	}

	private reset(entry: LoggedRequest, reply: FastifyReply): FastifyReply {
		this.log.end(entry, 'dropped');
		reply.hijack();
		reply.raw.socket?.resetAndDestroy();
		return reply;
	}

	private truncate(entry: LoggedRequest, reply: FastifyReply, response: ApiResponse): FastifyReply {
		this.log.end(entry, 'dropped');
		reply.hijack();
		const bytes = Buffer.from(response.text);
		const { socket } = reply.raw;
		reply.raw.writeHead(response.status, { ...response.headers, 'content-length': bytes.length });
		reply.raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => socket?.destroy());
		return reply;
	}

	private markClosed(entry: LoggedRequest, reply: FastifyReply): void {
		this.log.end(entry, 'dropped');
		if (!reply.raw.writableFinished) entry.status = 'dropped';
	}

	private nextContextId(): string {
		this.responses++;
		const start = hashOf(this.dataset.seed, 0).toString(36);
		return `ctx_${start}${this.responses.toString(36).padStart(8, '0')}`;
	}
}

/** Returns the path of a request without the query. */
export function pathOf(request: FastifyRequest): string {
	return request.url.split('?', 1)[0] as string;
}
