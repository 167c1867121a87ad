import type { FastifyInstance } from 'fastify';
import { errorBody } from './api-error.mts';
import { objectTypeNames } from './object-types.mts';
import { shape, unkindSchema } from './unkind.mts';
import type { Fault, ObjectType, Sandbox, Unkindness } from './types.mts';

/** What the control routes need besides the sandbox's own controls. */
export interface ControlContext {
	sandbox: Sandbox;
	/** Requests since the start or the last clear. */
	totalRequests(): number;
	/** Ids of so many records, spread evenly. */
	spread(objectType: ObjectType, howMany: number): string[];
}

const text = { type: 'string' };
const number = { type: 'number' };

const faultSchema = shape({
	method: text,
	path: text,
	skip: number,
	/** Infinity has no JSON form, so the text stands for it. */
	times: { anyOf: [number, { enum: ['Infinity'] }] },
	status: number,
	headers: { type: 'object' },
	body: {},
	contentType: text,
	action: { enum: ['respond', 'reset', 'resetAfterHandling', 'hang', 'truncate', 'delay'] },
	delayMs: number,
	transform: {
		enum: ['dropItems', 'dropPagination', 'repeatCursor', 'successFalse', 'stuckPage'],
	},
} satisfies Record<keyof Fault, object>);

interface Settings {
	latencyMs?: number | null;
	requestsPerSecond?: number | null;
	unkind?: Unkindness | null;
}

const settingsSchema = shape({
	latencyMs: { type: 'number', minimum: 0, nullable: true },
	requestsPerSecond: { type: 'number', exclusiveMinimum: 0, nullable: true },
	unkind: unkindSchema,
} satisfies Record<keyof Settings, object>);

interface Records {
	objectType: ObjectType;
	ids?: string[];
	count: number;
	lateMs?: number;
}

const recordsSchema = shape(
	{
		objectType: { enum: objectTypeNames },
		ids: { type: 'array', items: text },
		count: { type: 'integer', minimum: 0, default: 1 },
		lateMs: number,
	},
	['ids', 'count', 'lateMs'],
);

/** The sandbox's controls over HTTP, for other processes. They need no credential and are not logged. */
export async function controlRoutes(app: FastifyInstance, context: ControlContext): Promise<void> {
	const { sandbox } = context;
	app.removeAllContentTypeParsers();
	app.addContentTypeParser(
		'application/json',
		{ parseAs: 'string' },
		app.getDefaultJsonParser('error', 'error'),
	);
	// Whatever a control refuses is the sender's mistake.
	app.setErrorHandler((error: Error, _request, reply) =>
		reply.code(400).send(errorBody('invalid_request', error.message, 'ctx_none')),
	);
	const done = (work: () => void) => {
		work();
		return { ok: true };
	};
	app.get('/health', () => ({ ok: true }));
	app.get('/requests', (request) => {
		const { countOnly } = request.query as { countOnly?: string };
		const { requests } = sandbox;
		const counts = { total: context.totalRequests(), count: requests.length };
		return countOnly === '1' ? counts : { ...counts, requests };
	});
	app.get('/calls', (request) => {
		const { countOnly } = request.query as { countOnly?: string };
		if (countOnly !== '1') return sandbox.calls;
		const entries = Object.entries(sandbox.calls);
		return Object.fromEntries(entries.map(([name, bodies]) => [name, bodies.length]));
	});
	app.post('/clear', () => done(() => sandbox.clearRequests()));
	app.post<{ Body: Fault }>('/faults', { schema: { body: faultSchema } }, ({ body }) =>
		done(() => sandbox.addFault({ ...body, times: Number(body.times ?? 1) })),
	);
	app.delete('/faults', () => done(() => sandbox.clearFaults()));
	app.post('/expire-cursors', () => done(() => sandbox.expireCursors()));
	app.post<{ Body: Settings }>('/settings', { schema: { body: settingsSchema } }, ({ body }) =>
		done(() => {
			const { latencyMs, requestsPerSecond, unkind } = body;
			if (unkind !== undefined) sandbox.setUnkind(unkind ?? {});
			if (latencyMs !== undefined) sandbox.setLatency(latencyMs ?? 0);
			if (requestsPerSecond !== undefined) sandbox.setRateLimit(requestsPerSecond ?? undefined);
		}),
	);
	const schema = { body: recordsSchema };
	for (const control of ['update', 'remove'] as const) {
		app.post<{ Body: Records }>(`/${control}`, { schema }, ({ body }) => {
			const { objectType, count, lateMs } = body;
			const ids = body.ids ?? context.spread(objectType, count);
			sandbox[control](objectType, ids, lateMs);
			return { ids };
		});
	}
	app.post<{ Body: Records }>('/create', { schema }, ({ body }) => ({
		ids: sandbox.create(body.objectType, body.count),
	}));
}
