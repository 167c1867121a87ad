import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { jsonOf, useSandbox } from '../harness/support.mts';

const bench = useSandbox({ companies: 1, orders: 1, items: 1, deals: 1 });

/** Records whose letters take two to four bytes, and do not compress to nothing. */
const records = Array.from({ length: 500 }, (_, index) => ({
	id: `c${index}`,
	name: `Grüße 🎉 漢字 ${Math.sin(index)}`,
}));
const list = JSON.stringify({ success: true, data: { items: records }, meta: { pagination: {} } });
const result = JSON.stringify({ success: true, data: { name: '漢字' }, meta: {} });

/** The n8n helper asks for all of these; a service may use any. */
const encodings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
type Encoding = keyof typeof encodings;

let server: Server | undefined;
afterEach(() => {
	server?.closeAllConnections();
	server?.close();
});

/** A service that compresses; the first so many answers break off in the middle. */
async function startService(encoding: Encoding, broken: number): Promise<{ paths: string[] }> {
	const paths: string[] = [];
	server = createServer((request, response) => {
		const bytes = encodings[encoding](request.method === 'GET' ? list : result);
		paths.push(request.url ?? '');
		response.writeHead(200, {
			'content-type': 'application/json',
			'content-encoding': encoding,
		});
		const isBroken = paths.length <= broken;
		const end = isBroken ? Math.floor(bytes.length / 2) : bytes.length;
		for (let at = 0; at < end; at += 777)
			response.write(bytes.subarray(at, Math.min(end, at + 777)));
		response.end();
	});
	await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
	return { paths };
}

const run = async (parameters: Record<string, unknown>) => {
	const baseUrl = `http://127.0.0.1:${(server?.address() as AddressInfo).port}`;
	return await bench.run(parameters, { credential: { ...bench.v2(), baseUrl } });
};

test.each(['gzip', 'deflate', 'br'] as const)(
	'a list that comes as %s is read whole',
	async (encoding) => {
		await startService(encoding, 0);
		const done = await run({ resource: 'company', operation: 'getAll', returnAll: true });
		expect(done.error).toBeUndefined();
		expect(jsonOf(done)).toEqual(records);
	},
);

test.each(['gzip', 'deflate', 'br'] as const)(
	'a list in %s that breaks off is asked for again, and nothing of the half is kept',
	async (encoding) => {
		const { paths } = await startService(encoding, 1);
		const done = await run({ resource: 'company', operation: 'getAll', returnAll: true });
		expect(done.error).toBeUndefined();
		expect(jsonOf(done)).toEqual(records);
		expect(paths).toHaveLength(2);
	},
);

test.each(['gzip', 'deflate', 'br'] as const)(
	'a billed call whose answer in %s breaks off is not sent again',
	async (encoding) => {
		const { paths } = await startService(encoding, 9);
		const { error } = await run({
			resource: 'company',
			operation: 'enrich',
			dataToSend: 'json',
			jsonBody: '{"domain":"a.example"}',
		});
		expect(error?.description).toContain('may have processed and billed it');
		expect(paths).toHaveLength(1);
	},
);
