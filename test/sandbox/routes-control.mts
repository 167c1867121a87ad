import type { FastifyInstance } from 'fastify';
import { errorBody } from './api-error.mts';
import type { Fault, Sandbox, Quirks } from './types.mts';

/**
 * Registers endpoints with which tests in other processes control the sandbox. Requests to these endpoints need no
 * credential and are not logged.
 */
export async function controlRoutes(
	app: FastifyInstance,
	{ sandbox }: { sandbox: Sandbox },
): Promise<void> {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser(
		'application/json',
		{ parseAs: 'string' },
		app.getDefaultJsonParser('error', 'error'),
	);
	// Send HTTP 400 for every error, because only invalid input makes a control request fail.
	app.setErrorHandler((error: Error, _request, reply) =>
		reply.code(400).send(errorBody('invalid_request', error.message, 'ctx_none')),
	);
	const done = (work: () => void) => {
		work();
		return { ok: true };
	};
	app.get('/health', () => ({ ok: true }));
	app.get('/requests', ({ query }) => {
		const { countOnly } = query as { countOnly?: string };
		const count = sandbox.requests.length;
		return countOnly === '1' ? { count } : { count, requests: sandbox.requests };
	});
	app.get('/calls', () => sandbox.calls);
	app.post('/clear', () => done(() => sandbox.clearRequests()));
	app.post<{ Body: Fault }>('/faults', ({ body }) =>
		// JSON has no Infinity, so a test sends the text "Infinity".
		done(() => sandbox.addFault({ ...body, times: Number(body.times ?? 1) })),
	);
	app.delete('/faults', () => done(() => sandbox.clearFaults()));
	app.post<{ Body: { latencyMs?: number; quirks?: Quirks } }>('/settings', ({ body }) =>
		done(() => {
			if (body.quirks !== undefined) sandbox.setQuirks(body.quirks);
			if (body.latencyMs !== undefined) sandbox.setLatency(body.latencyMs);
		}),
	);
}
