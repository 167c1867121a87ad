import { setTimeout as wait } from 'node:timers/promises';
import type { SandboxProcess } from './sandbox-process.mts';
import { median } from './statistics.mts';
import type { Setup } from './timing.mts';
import { inTurns } from './turns.mts';
import { rivals, type Rival, type WebhookLoad, type WebhookResult } from './types.mts';

const workflows = { node: 'answerNode', httpRequest: 'answerHttp' } as const;
const domain = 'acme.example';
const body = JSON.stringify({ domain });
const headers = { 'content-type': 'application/json' };

/** Pause after a response in ms. Meanwhile n8n finishes its work, such as saving the execution. */
const REST_MS = 100;

/** Sends one request and returns the milliseconds until the response. Throws if the response is wrong. */
async function millisecondsOfOne(url: string): Promise<number> {
	const started = performance.now();
	const answer = await (await fetch(url, { method: 'POST', headers, body })).text();
	if (!answer.includes(`"domain":"${domain}"`)) throw new Error(`the answer is ${answer}`);
	return performance.now() - started;
}

/**
 * Measures how fast a webhook responds whose workflow enriches a company with the node or with HTTP Request: with many
 * requests in flight, and with one at a time.
 */
export async function benchWebhooks(
	{ sandbox, n8n, say }: Setup,
	load: WebhookLoad,
): Promise<WebhookResult> {
	const perSecond: WebhookResult['perSecond'] = { node: [], httpRequest: [] };
	const milliseconds: WebhookResult['milliseconds'] = { node: [], httpRequest: [] };
	// The first run warms up the compilers and does not count.
	for (const rival of rivals) {
		await answersPerSecond(sandbox, await n8n.webhookUrl(workflows[rival]), load);
	}
	const measure = async (rival: Rival): Promise<void> => {
		const url = await n8n.webhookUrl(workflows[rival]);
		perSecond[rival].push(await answersPerSecond(sandbox, url, load));
		say(`webhook: ${rival} ${perSecond[rival].at(-1)?.toFixed(1)} per second`);
	};
	const nextRound = inTurns(rivals, measure);
	for (let round = 0; round < load.rounds; round++) {
		await nextRound();
		const times = await oneByOne(n8n, load.oneByOne);
		for (const rival of rivals) {
			// The median ignores the moments in which n8n does other work.
			milliseconds[rival].push(median(times[rival]));
			say(`webhook: ${rival} one in ${milliseconds[rival].at(-1)?.toFixed(1)} ms`);
		}
	}
	return { ...load, perSecond, milliseconds };
}

/** Returns the milliseconds of each request to both contenders, sent in turns while n8n has no other work. */
async function oneByOne(n8n: Setup['n8n'], times: number): Promise<Record<Rival, number[]>> {
	const found: Record<Rival, number[]> = { node: [], httpRequest: [] };
	const urls = {
		node: await n8n.webhookUrl(workflows.node),
		httpRequest: await n8n.webhookUrl(workflows.httpRequest),
	};
	for (let count = 0; count < times; count++) {
		for (const rival of count % 2 === 0 ? rivals : rivals.toReversed()) {
			await wait(REST_MS);
			found[rival].push(await millisecondsOfOne(urls[rival]));
		}
	}
	return found;
}

async function answersPerSecond(
	sandbox: SandboxProcess,
	url: string,
	{ inFlight, requests }: WebhookLoad,
): Promise<number> {
	await sandbox.takeRequestCount();
	let remaining = requests;
	const askOn = async (): Promise<void> => {
		while (remaining-- > 0) await millisecondsOfOne(url);
	};
	const started = performance.now();
	await Promise.all(Array.from({ length: inFlight }, askOn));
	const seconds = (performance.now() - started) / 1_000;
	const seen = await sandbox.takeRequestCount();
	if (seen !== requests) throw new Error(`the service saw ${seen} of ${requests} requests`);
	return requests / seconds;
}
