import type { FastifyInstance } from 'fastify';
import { isObjectType } from './dataset.mts';
import { checkFault } from './faults.mts';
import { forEachType, objectTypeNames } from './object-types.mts';
import type { Fault, ObjectType, Sandbox, Unkindness } from './types.mts';

type Body = Record<string, unknown>;

/** What the control routes need besides the sandbox's own controls. */
export interface ControlContext {
	sandbox: Sandbox;
	/** Requests since the start or the last clear. */
	totalRequests(): number;
	/** Ids of so many records, spread evenly. */
	spread(objectType: ObjectType, howMany: number): string[];
}

function controlError(message: string): Error & { statusCode: number } {
	return Object.assign(new Error(message), { statusCode: 400 });
}

/** Whatever a control refuses is the sender's mistake, so it becomes a 400 with the same message. */
function orRefuse<Result>(work: () => Result): Result {
	try {
		return work();
	} catch (error) {
		throw controlError((error as Error).message);
	}
}

function bodyOf(raw: unknown): Body {
	return orRefuse(() => {
		const body: unknown = JSON.parse(typeof raw === 'string' ? raw : '{}');
		if (typeof body !== 'object' || body === null || Array.isArray(body)) {
			throw new Error('The body must be a JSON object.');
		}
		return body as Body;
	});
}

function objectTypeOf(body: Body): ObjectType {
	if (isObjectType(body.objectType)) return body.objectType;
	throw controlError(`objectType must be one of ${objectTypeNames.join(', ')}.`);
}

function countOf(body: Body): number {
	const count = body.count ?? 1;
	if (typeof count === 'number' && Number.isInteger(count) && count >= 0) return count;
	throw controlError('count must be a whole number.');
}

function numberOr<Fallback>(name: string, value: unknown, fallback: Fallback): number | Fallback {
	if (value === null) return fallback;
	if (typeof value === 'number') return value;
	throw controlError(`${name} must be a number, or null.`);
}

function settle(sandbox: Sandbox, body: Body): void {
	const { latencyMs, requestsPerSecond, unkind, ...unknown } = body;
	for (const name of Object.keys(unknown)) throw controlError(`There is no setting "${name}".`);
	if (unkind !== undefined) orRefuse(() => sandbox.setUnkind((unkind ?? {}) as Unkindness));
	if (latencyMs !== undefined) sandbox.setLatency(numberOr('latencyMs', latencyMs, 0));
	if (requestsPerSecond !== undefined) {
		const limit = numberOr('requestsPerSecond', requestsPerSecond, undefined);
		orRefuse(() => sandbox.setRateLimit(limit));
	}
}

/** Infinity has no JSON form, so the text "Infinity" stands for it. */
function faultOf(body: Body): Fault {
	const fault = { ...body, ...(body.times === 'Infinity' ? { times: Infinity } : {}) } as Fault;
	orRefuse(() => checkFault(fault));
	return fault;
}

function registerLogRoutes(app: FastifyInstance, context: ControlContext): void {
	const { sandbox } = context;
	app.get('/sandbox/requests', (request) => {
		const { path, countOnly } = request.query as Record<string, string | undefined>;
		const requests = path
			? sandbox.requests.filter((entry) => entry.path === path)
			: sandbox.requests;
		const counts = { total: context.totalRequests(), count: requests.length };
		return countOnly === '1' ? counts : { ...counts, requests };
	});
	app.get('/sandbox/calls', (request) => {
		const { countOnly } = request.query as Record<string, string | undefined>;
		if (countOnly !== '1') return sandbox.calls;
		const entries = Object.entries(sandbox.calls);
		return Object.fromEntries(entries.map(([name, bodies]) => [name, bodies.length]));
	});
	app.post('/sandbox/clear', () => {
		sandbox.clearRequests();
		return { ok: true };
	});
}

function registerRecordRoutes(app: FastifyInstance, context: ControlContext): void {
	const { sandbox } = context;
	const idsOf = (body: Body, objectType: ObjectType) => {
		if (body.ids === undefined) return context.spread(objectType, countOf(body));
		if (Array.isArray(body.ids)) return body.ids.map(String);
		throw controlError('ids must be a list.');
	};
	app.get('/sandbox/counts', () => forEachType((objectType) => sandbox.count(objectType)));
	for (const control of ['update', 'remove'] as const) {
		app.post(`/sandbox/${control}`, (request) => {
			const body = bodyOf(request.body);
			const objectType = objectTypeOf(body);
			const ids = idsOf(body, objectType);
			const lateMs = numberOr('lateMs', body.lateMs ?? null, undefined);
			orRefuse(() => sandbox[control](objectType, ids, lateMs));
			return { ids };
		});
	}
	app.post('/sandbox/create', (request) => {
		const body = bodyOf(request.body);
		return { ids: sandbox.create(objectTypeOf(body), countOf(body)) };
	});
}

/** The sandbox's controls over HTTP, for tests in other processes. They need no credential and are not logged. */
export function registerControlRoutes(app: FastifyInstance, context: ControlContext): void {
	const { sandbox } = context;
	app.get('/sandbox/health', () => ({ ok: true }));
	registerLogRoutes(app, context);
	registerRecordRoutes(app, context);
	app.post('/sandbox/faults', (request) => {
		sandbox.addFault(faultOf(bodyOf(request.body)));
		return { ok: true };
	});
	app.delete('/sandbox/faults', () => {
		sandbox.clearFaults();
		return { ok: true };
	});
	app.post('/sandbox/expire-cursors', () => {
		sandbox.expireCursors();
		return { ok: true };
	});
	app.post('/sandbox/settings', (request) => {
		settle(sandbox, bodyOf(request.body));
		return { ok: true };
	});
}
