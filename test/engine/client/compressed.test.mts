import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { jsonOf, useSandbox } from '../harness/support.mts';
import { startService } from './small-service.mts';
import { enrich } from './nodes.mts';

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

const companies = { resource: 'company', operation: 'getAll', returnAll: true };

describe.each(Object.keys(encodings) as Array<keyof typeof encodings>)('in %s', (encoding) => {
	const compress = encodings[encoding];

	/** Runs the node; the first so many answers break off in the middle. */
	async function run(parameters: Record<string, unknown>, broken: number) {
		const { url, requests } = await startService((request, response, number) => {
			const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
			const bytes = compress(request.method === 'GET' ? list : result);
			response.writeHead(200, headers);
			const end = number <= broken ? Math.floor(bytes.length / 2) : bytes.length;
			for (let at = 0; at < end; at += 777) {
				response.write(bytes.subarray(at, Math.min(end, at + 777)));
			}
			response.end();
		});
		const credential = { ...bench.v2(), baseUrl: url };
		return { ...(await bench.run(parameters, { credential })), sent: requests.length };
	}

	test('a list that breaks off is asked for again, and nothing of the half is kept', async () => {
		const done = await run(companies, 1);
		expect([done.error, done.sent]).toEqual([undefined, 2]);
		expect(jsonOf(done)).toEqual(records);
	});

	test('a billed call whose answer breaks off is not sent again', async () => {
		const { error, sent } = await run(enrich, 9);
		expect(error?.description).toContain('may have processed and billed it');
		expect(sent).toBe(1);
	});
});
