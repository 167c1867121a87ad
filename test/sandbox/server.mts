import type { AddressInfo } from 'node:net';
import fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { ApiError, errorBody } from './api-error.mts';
import { Api, pathOf } from './api.mts';
import type { Dataset } from './dataset.mts';
import type { Endpoint } from './endpoint.mts';
import { callEndpoints } from './routes-calls.mts';
import { controlRoutes } from './routes-control.mts';
import { listEndpoints } from './routes-lists.mts';
import { updateEndpoint } from './routes-update.mts';
import { whoamiEndpoints } from './routes-whoami.mts';
import type { RecordControls, Sandbox, SandboxOptions } from './types.mts';

export { sandboxCredentials } from './authentication.mts';
export { parseRecord, serializeRecord } from './exact-json.mts';
export type * from './types.mts';

const endpoints: Endpoint[] = [
	...whoamiEndpoints,
	...listEndpoints,
	...callEndpoints,
	updateEndpoint,
];
const maximumBodyBytes = 10 * 1024 * 1024;

function createApp(): FastifyInstance {
	const app = fastify({
		bodyLimit: maximumBodyBytes,
		// Let stop() close idle connections and hanging requests, instead of waiting for their end.
		forceCloseConnections: true,
		exposeHeadRoutes: false,
	});
	// Do not parse bodies here. Endpoints parse them, and send an error in the format of the API if a body is not a
	// JSON object.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
	app.setErrorHandler((error: FastifyError, _request, reply) => {
		const status = error.statusCode ?? 500;
		const code = status < 500 ? 'invalid_request' : 'internal_error';
		if (status >= 500) console.error(error);
		return reply
			.code(status)
			.type('application/json; charset=utf-8')
			.send(errorBody(code, error.message, 'ctx_none'));
	});
	return app;
}

function unknownRoute(method: string, path: string): ApiError {
	const methods = endpoints
		.filter((endpoint) => endpoint.path === path)
		.map((endpoint) => endpoint.method);
	if (methods.length === 0) return new ApiError(404, 'not_found', `There is nothing at ${path}.`);
	const allowed = methods.join(', ');
	return new ApiError(405, 'method_not_allowed', `${path} takes ${allowed}, not ${method}.`, {
		allow: allowed,
	});
}

function registerApi(app: FastifyInstance, api: Api): void {
	for (const endpoint of endpoints) {
		app.route({
			method: endpoint.method,
			url: endpoint.path,
			handler: (request, reply) => api.serve(request, reply, endpoint),
		});
	}
	app.setNotFoundHandler((request, reply) => {
		const error = unknownRoute(request.method, pathOf(request));
		const isControl = pathOf(request).startsWith('/sandbox/');
		if (!isControl) return api.serve(request, reply, error);
		return reply.code(error.status).send(errorBody(error.code, error.message, 'ctx_none'));
	});
}

function recordControls(dataset: Dataset): RecordControls {
	return {
		records: (objectType) => dataset.tables[objectType].records(),
		count: (objectType) => dataset.tables[objectType].count,
		update: (objectType, ids, lateMs) => {
			const time = lateMs === undefined ? dataset.nextTime() : dataset.timeBefore(lateMs);
			dataset.tables[objectType].update(ids, time);
		},
		create: (objectType, howMany) => dataset.tables[objectType].create(howMany, dataset.nextTime()),
		remove: (objectType, ids) => dataset.tables[objectType].remove(ids),
		restore: (objectType, ids) => dataset.tables[objectType].restore(ids),
	};
}

function controlsOf(api: Api): Omit<Sandbox, 'url' | 'port' | 'stop'> {
	return {
		...recordControls(api.dataset),
		otherWorkspace: recordControls(api.otherDataset),
		requests: api.log.entries,
		calls: api.calls,
		clearRequests: () => api.clear(),
		addFault: (fault) => api.faults.add(fault),
		clearFaults: () => api.faults.clear(),
		setLatency: (ms, jitterMs) => {
			api.latencyMs = ms;
			api.jitterMs = jitterMs;
		},
		setQuirks: (settings) => api.setQuirks(settings),
	};
}

/**
 * Starts the sandbox, a local service with generated records that follows the specification. Call `stop` to end it.
 * @throws if an option is invalid or the port is in use
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const api = new Api(options);
	const app = createApp();
	const sandbox: Sandbox = { ...controlsOf(api), url: '', port: 0, stop: () => app.close() };
	registerApi(app, api);
	app.register(controlRoutes, { prefix: '/sandbox', sandbox });
	const host = '127.0.0.1';
	await app.listen({ port: options.port ?? 0, host });
	sandbox.port = (app.server.address() as AddressInfo).port;
	sandbox.url = `http://${host}:${sandbox.port}`;
	return sandbox;
}
