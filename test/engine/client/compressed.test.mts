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
const pagination = { total: records.length };
const list = JSON.stringify({ success: true, data: { items: records }, meta: { pagination } });
const result = JSON.stringify({ success: true, data: { name: '漢字' }, meta: {} });

/** The n8n helper asks for all of these; a service may use any. */
const encodings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
type Encoding = keyof typeof encodings;
const names = Object.keys(encodings) as Encoding[];

let server: Server | undefined;
afterEach(() => {
	server?.closeAllConnections();
	server?.close();
});

/** A service that compresses; the first so many answers break off in the middle, or refuse with a text. */
async function startService(
	encoding: Encoding,
	{ broken = 0, refused = 0, refusal = '' },
): Promise<{ paths: string[] }> {
	const paths: string[] = [];
	server = createServer((request, response) => {
		paths.push(request.url ?? '');
		const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
		if (paths.length <= refused) {
			response.writeHead(429, { ...headers, 'retry-after': '0' });
			response.end(refusal === '' ? undefined : encodings[encoding](refusal));
			return;
		}
		const bytes = encodings[encoding](request.method === 'GET' ? list : result);
		response.writeHead(200, headers);
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

const enrich = {
	resource: 'company',
	operation: 'enrich',
	dataToSend: 'json',
	jsonBody: '{"domain":"a.example"}',
};

test.each(names)('a list that comes as %s is read whole', async (encoding) => {
	await startService(encoding, {});
	const done = await run({ resource: 'company', operation: 'getAll', returnAll: true });
	expect(done.error).toBeUndefined();
	expect(jsonOf(done)).toEqual(records);
});

test.each(names)(
	'a list in %s that breaks off is asked for again, and nothing of the half is kept',
	async (encoding) => {
		const { paths } = await startService(encoding, { broken: 1 });
		const done = await run({ resource: 'company', operation: 'getAll', returnAll: true });
		expect(done.error).toBeUndefined();
		expect(jsonOf(done)).toEqual(records);
		expect(paths).toHaveLength(2);
	},
);

test.each(names)(
	'a billed call whose answer in %s breaks off is not sent again',
	async (encoding) => {
		const { paths } = await startService(encoding, { broken: 9 });
		const { error } = await run(enrich);
		expect(error?.description).toContain('may have processed and billed it');
		expect(paths).toHaveLength(1);
	},
);

test.each(names)(
	'a billed call that is refused in %s, with words or with an empty body, was not taken and is sent again',
	async (encoding) => {
		for (const refusal of ['{"error":{"message":"Too many"}}', '']) {
			const { paths } = await startService(encoding, { refused: 1, refusal });
			const done = await run(enrich);
			expect(done.error).toBeUndefined();
			expect(jsonOf(done)[0]).toMatchObject({ name: '漢字' });
			expect(paths).toHaveLength(2);
			server?.close();
		}
	},
);

test('the words of a refusal are read although they are compressed', async () => {
	await startService('gzip', { refused: 9, refusal: '{"error":{"message":"Too many today"}}' });
	const { error } = await run({ ...enrich, options: { maxWait: 0 } });
	expect(error?.description).toContain('Too many today');
});
