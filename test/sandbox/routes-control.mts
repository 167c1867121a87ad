import type { FastifyInstance } from 'fastify';
import { errorBody } from './api-error.mts';
import type { Fault, Sandbox, Quirks } from './types.mts';

/**
 * Registers the HTTP controls of the sandbox, for tests in other processes. They need no credential and are not logged.
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
	// An error in a control is always caused by the sender's input.
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
