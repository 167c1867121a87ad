import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { jsonOf, useSandbox } from '../harness/support.mts';
import { startService } from './small-service.mts';

const bench = useSandbox({ companies: 1, orders: 1, items: 1, deals: 1 });

/** The n8n helper asks for all of these; a service may use any. */
test.each([
	['gzip', gzipSync],
	['deflate', deflateSync],
	['br', brotliCompressSync],
] as const)(
	'a list in %s that breaks off is asked for again, and nothing of the half is kept',
	async (encoding, compress) => {
		// Letters of two to four bytes, which do not compress to nothing.
		const records = Array.from({ length: 500 }, (_, index) => ({
			id: `c${index}`,
			name: `Grüße 🎉 漢字 ${Math.sin(index)}`,
		}));
		const meta = { pagination: { total: records.length } };
		const bytes = compress(JSON.stringify({ success: true, data: { items: records }, meta }));
		const { url, requests } = await startService((_request, response, number) => {
			const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
			response.writeHead(200, headers);
			const end = number === 1 ? Math.floor(bytes.length / 2) : bytes.length;
			for (let at = 0; at < end; at += 777) {
				response.write(bytes.subarray(at, Math.min(end, at + 777)));
			}
			response.end();
		});
		const companies = { resource: 'company', operation: 'getAll', returnAll: true };
		const run = await bench.run(companies, { credential: { ...bench.v2(), baseUrl: url } });
		expect([run.error, requests.length]).toEqual([undefined, 2]);
		expect(jsonOf(run)).toEqual(records);
	},
);
