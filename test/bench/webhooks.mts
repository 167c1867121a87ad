import { setTimeout as wait } from 'node:timers/promises';
import type { SandboxProcess } from './sandbox-process.mts';
import { median } from './statistics.mts';
import type { Setup } from './timing.mts';
import { inTurns } from './turns.mts';
import { n8nNodes, type Rival, type WebhookLoad, type WebhookResult } from './types.mts';

const workflows = { node: 'answerNode', httpRequest: 'answerHttp' } as const;
const domain = 'acme.example';
const body = JSON.stringify({ domain });
const headers = { 'content-type': 'application/json' };

/** Pause in ms before the next request. n8n uses the pause to finish its work, such as saving the execution. */
const REST_MS = 100;

/** Sends one request to a webhook. Returns the response time in ms. Throws if the response is wrong. */
async function millisecondsOfOne(url: string): Promise<number> {
	const started = performance.now();
	const answer = await (await fetch(url, { method: 'POST', headers, body })).text();
	if (!answer.includes(`"domain":"${domain}"`)) throw new Error(`the answer is ${answer}`);
	return performance.now() - started;
}

/**
 * Measures how fast a webhook responds if its workflow enriches a company, with the node or with HTTP Request. Sends
 * many requests in parallel, and then requests one after the other.
 */
export async function benchWebhooks(
	{ sandbox, n8n, say }: Setup,
	load: WebhookLoad,
): Promise<WebhookResult> {
	const perSecond: WebhookResult['perSecond'] = { node: [], httpRequest: [] };
	const milliseconds: WebhookResult['milliseconds'] = { node: [], httpRequest: [] };
	// The first requests warm up n8n and the compilers, so their times do not count.
	for (const rival of n8nNodes) {
		await answersPerSecond(sandbox, await n8n.webhookUrl(workflows[rival]), load);
	}
	const measure = async (rival: Rival): Promise<void> => {
		const url = await n8n.webhookUrl(workflows[rival]);
		perSecond[rival].push(await answersPerSecond(sandbox, url, load));
		say(`webhook: ${rival} ${perSecond[rival].at(-1)?.toFixed(1)} per second`);
	};
	const nextRound = inTurns(n8nNodes, measure);
	for (let round = 0; round < load.rounds; round++) {
		await nextRound();
		const times = await oneByOne(n8n, load.oneByOne);
		for (const rival of n8nNodes) {
			// Use the median, which ignores moments in which n8n does other work.
			milliseconds[rival].push(median(times[rival]));
			say(`webhook: ${rival} one in ${milliseconds[rival].at(-1)?.toFixed(1)} ms`);
		}
	}
	return { ...load, perSecond, milliseconds };
}

/** Sends requests to both webhooks in turns while n8n has no other work. Returns their response times in ms. */
async function oneByOne(n8n: Setup['n8n'], times: number): Promise<Record<Rival, number[]>> {
	const found: Record<Rival, number[]> = { node: [], httpRequest: [] };
	const urls = {
		node: await n8n.webhookUrl(workflows.node),
		httpRequest: await n8n.webhookUrl(workflows.httpRequest),
	};
	for (let count = 0; count < times; count++) {
		for (const rival of count % 2 === 0 ? n8nNodes : n8nNodes.toReversed()) {
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
