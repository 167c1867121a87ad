/**
 * The least that so many calls can cost in this Node: so many at once, JSON.parse, all results kept. No retries, no
 * checks, no n8n. A process of its own, so that the work of the service is not counted as its own: `timeCallLoop`
 * starts it and says how many seconds it took.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sandboxCredentials } from '../sandbox/server.mts';

/**
 * Times the bare loop in a process of its own.
 *
 * @returns seconds
 */
export async function timeCallLoop(url: string, calls: number, atOnce: number): Promise<number> {
	const args = [import.meta.filename, url, String(calls), String(atOnce)];
	const { stdout } = await promisify(execFile)(process.execPath, args);
	return Number(stdout);
}

async function callAll(url: string, calls: number, atOnce: number): Promise<unknown[]> {
	const headers = {
		authorization: `Bearer ${sandboxCredentials.v2Full}`,
		'content-type': 'application/json',
	};
	const results: unknown[] = [];
	let next = 0;
	const work = async (): Promise<void> => {
		while (next < calls) {
			const index = next++;
			const body = JSON.stringify({ domain: `company-${index}.example` });
			const response = await fetch(`${url}/v2/enrich`, { method: 'POST', headers, body });
			results[index] = await response.json();
		}
	};
	await Promise.all(Array.from({ length: atOnce }, work));
	return results;
}

if (process.argv[1] === import.meta.filename) {
	const [url = '', calls, atOnce] = process.argv.slice(2);
	const began = performance.now();
	await callAll(url, Number(calls), Number(atOnce));
	console.log((performance.now() - began) / 1_000);
}
