import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import getPort from 'get-port';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { countsOf } from '../../../sandbox/object-types.mts';
import { sandboxCredentials, startSandbox } from '../../../sandbox/server.mts';
import { billedCase, sampleCases } from '../../../samples.mts';
import { useSandbox } from '../../harness/support.mts';
import { selfSigned, startService } from './small-service.mts';

const bench = useSandbox({ companies: 30, orders: 5, items: 5, deals: 5 });

const companies = { resource: 'company', operation: 'getAll' };
const { parameters: billed, requests: billedRequests } = billedCase;

describe('a connection that cannot be made', () => {
	test.each(sampleCases)(
		'retries until the service accepts a connection, and sends $name only once',
		async ({ parameters }) => {
			vi.spyOn(Math, 'random').mockReturnValue(0.15);
			const port = await getPort();
			const credential = { ...bench.v2(), baseUrl: `http://127.0.0.1:${port}` };
			const refused = firstRefused();
			const running = bench.run(parameters, { credential });
			await refused;
			const late = await startSandbox({ port, ...countsOf(5) });
			const run = await running;
			expect(run.error).toBeUndefined();
			expect(late.requests).toHaveLength(1);
			await late.stop();
		},
	);

	test('advises to enter http:// if the Base URL has https:// but the service uses http', async () => {
		const baseUrl = bench.sandbox.url.replace('http:', 'https:');
		const credential = { ...bench.v2(), baseUrl };
		const run = await bench.run(
			{ ...billed, options: { requests: { values: { retryFor: 0 } } } },
			{ credential },
		);
		expect(run.error?.message).toMatch(/^No secure connection to 127\.0\.0\.1:\d+ could be made$/);
		expect(run.error?.description).toContain('http:// instead of https://');
	});
});

test('accepts a self-signed certificate of the service only with Ignore SSL Issues', async () => {
	const answer = '{"success":true,"data":{}}';
	const service = await startService((_request, response) => response.end(answer), selfSigned());
	for (const parameters of [{ resource: 'workspace', operation: 'whoAmI' }, billed]) {
		const runs = [false, true, '={{ "false" }}'].map(async (ignoreSslIssues) => {
			const credential = { ...bench.v2(), baseUrl: service.url, ignoreSslIssues };
			return (await bench.run(parameters, { credential })).error?.message;
		});
		const refused = expect.stringMatching(/^No secure connection to .* could be made$/);
		expect(await Promise.all(runs)).toEqual([refused, undefined, refused]);
	}
	expect(service.requests).toHaveLength(2);
});

test('does not retry a billed call if the TLS connection breaks after the service has received the call', async () => {
	const { url, requests } = await startService(({ socket }) => {
		// Write an unencrypted response into the TLS connection, as some proxies do.
		(socket as unknown as { _parent: Socket })._parent.write('HTTP/1.1 502 Bad Gateway\r\n\r\n');
	}, selfSigned());
	const credential = { ...bench.v2(), baseUrl: url, ignoreSslIssues: true };
	const retryOnFail = { maxTries: 3, waitBetweenTries: 1 };
	const run = await bench.run(billed, { credential, retryOnFail });
	expect(run.error?.description).toContain('may have processed and billed it');
	expect(requests).toHaveLength(1);
});

test('closes the connection at Timeout if a response arrives byte by byte, and does not retry a billed call', async () => {
	let closed = 0;
	const { url, requests } = await startService((_request, response) => {
		const drops = setInterval(() => response.write(' '), 50);
		response.on('close', () => {
			clearInterval(drops);
			closed += 1;
		});
	});
	const run = await bench.run(
		{ ...billed, options: { requests: { values: { timeout: 400 } } } },
		{ credential: { ...bench.v2(), baseUrl: url } },
	);
	await expect.poll(() => closed).toBe(1);
	expect(run.error?.message).toContain('did not answer within 0.4 seconds');
	expect(run.error?.description).toContain('may have processed and billed it');
	expect(requests).toHaveLength(1);
});

describe('a redirect', () => {
	/** Starts a service with a different origin (host and port) from the sandbox. */
	async function otherHost() {
		const { port, requests } = await startService((_request, response) => {
			response.setHeader('content-type', 'application/json').end('{"success":true,"data":{}}');
		});
		return { url: `http://localhost:${port}`, requests };
	}

	test.each([301, 302, 303, 307, 308])(
		'does not follow a redirect with HTTP %i to another origin, and names the new Base URL in the error',
		async (status) => {
			const other = await otherHost();
			const v1 = bench.v1(sandboxCredentials.v1AllScopes, sandboxCredentials.workspaceCode);
			const runs = [
				...sampleCases.map(({ parameters, requests }) => ({
					parameters,
					path: requests.v2?.path,
					credential: bench.v2(),
				})),
				{ parameters: billed, path: billedRequests.v1?.path, credential: v1 },
			];
			for (const { parameters, path, credential } of runs) {
				const location = `${other.url.replace('//', '//me:word@')}/api${path}?a=1#b`;
				bench.sandbox.clearFaults();
				bench.sandbox.addFault({ status, headers: { location }, times: Infinity });
				const run = await bench.run(parameters, { credential });
				expect(run.error?.message).toBe(`The service has moved to ${other.url}/api`);
				expect(run.error?.description).toContain("enter it as the 'Base URL'");
			}
			expect(other.requests).toHaveLength(0);
			expect(bench.sandbox.requests).toHaveLength(runs.length);
		},
	);
});

describe('a proxy that n8n uses', () => {
	/**
	 * Starts a proxy that sends `answer` as the response to every request. If `answer` is empty, the proxy closes the
	 * connection.
	 */
	async function startProxy(answer: string): Promise<string> {
		const server = createServer((socket) => {
			socket.on('error', () => undefined).once('data', () => socket.end(answer));
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		onTestFinished(() => void server.close());
		return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	}
	const page = '<html><head><title>Denied</title></head></html>';
	const http = (status: string, body = '') =>
		`HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

	test.each<[string, () => Promise<string> | string, RegExp]>([
		['is not running', async () => `http://127.0.0.1:${await getPort()}`, /proxy that n8n uses/],
		['cannot be found', () => 'http://proxy.invalid:3128', /proxy that n8n uses/],
		[
			'requires a password',
			async () => await startProxy(http('407 Needed')),
			/proxy that n8n uses/,
		],
		['closes the connection', async () => await startProxy(''), /proxy that n8n uses|broke off/],
		['returns 403 and a page', async () => await startProxy(http('403 No', page)), /"Denied"$/],
		['returns 403 without a body', async () => await startProxy(http('403 No')), /is not allowed/],
		['returns 403 and text', async () => await startProxy(http('403 No', 'By policy')), /or proxy/],
		['returns 502', async () => await startProxy(http('502 Bad Gateway')), /HTTP 502/],
	])('mentions the proxy in the error if the proxy %s', async (_name, start, message) => {
		const proxy = await start();
		vi.stubEnv('HTTP_PROXY', proxy);
		vi.stubEnv('HTTPS_PROXY', proxy);
		for (const baseUrl of ['http://service.example', 'https://service.example']) {
			const run = await bench.run(
				{ ...companies, options: { requests: { values: { retryFor: 0 } } } },
				{ credential: { ...bench.v2(), baseUrl } },
			);
			expect(run.error?.message).toMatch(message);
			expect(run.error?.description).toMatch(/HTTP_PROXY and HTTPS_PROXY/);
		}
	});
});

/** Waits until the first connection that the node opens has been refused. */
async function firstRefused(): Promise<void> {
	await new Promise<void>((resolve) => {
		const watch = (message: unknown): void => {
			unsubscribe('net.client.socket', watch);
			(message as { socket: Socket }).socket.once('error', () => resolve());
		};
		subscribe('net.client.socket', watch);
	});
}
