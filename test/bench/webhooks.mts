import autocannon from 'autocannon';
import { messageOf } from '../n8n/errors.mts';
import type { SandboxProcess } from './sandbox-process.mts';
import { median } from './statistics.mts';
import type { Stand } from './timing.mts';
import { inTurns } from './turns.mts';
import { rivals, type Rival, type WebhookLoad, type WebhookResult } from './types.mts';

const workflows = { node: 'answerNode', httpRequest: 'answerHttp' } as const;
const domain = 'acme.example';
const body = JSON.stringify({ domain });
const headers = { 'content-type': 'application/json' };
const isRight = (text: string): boolean => text.includes(`"domain":"${domain}"`);

/**
 * How fast a webhook is answered whose workflow enriches a company, with the node and with HTTP Request in its place:
 * with many requests in flight, and one at a time.
 */
export async function benchWebhooks(
	{ sandbox, n8n, say }: Stand,
	load: WebhookLoad,
): Promise<WebhookResult> {
	const perSecond: WebhookResult['perSecond'] = { node: [], httpRequest: [] };
	const milliseconds: WebhookResult['milliseconds'] = { node: [], httpRequest: [] };
	// Once without counting, so that nobody pays for the compilers' warming up.
	for (const rival of rivals) {
		await answersPerSecond(sandbox, await n8n.webhookUrl(workflows[rival]), load);
	}
	const measure = async (rival: Rival): Promise<void> => {
		const url = await n8n.webhookUrl(workflows[rival]);
		const many = await answersPerSecond(sandbox, url, load);
		const one = await millisecondsOfOne(url, load.oneByOne);
		perSecond[rival].push(many);
		milliseconds[rival].push(one);
		say(`webhook: ${rival} ${many.toFixed(1)} per second, one in ${one.toFixed(1)} ms`);
	};
	const { failures, nextRound } = inTurns(rivals, measure, (failure) =>
		say(`a webhook failed: ${failure}`),
	);
	for (let round = 0; round < load.rounds; round++) await nextRound();
	return { ...load, perSecond, milliseconds, failures };
}

async function answersPerSecond(
	sandbox: SandboxProcess,
	url: string,
	{ inFlight, requests }: WebhookLoad,
): Promise<number> {
	await sandbox.takeRequestCount();
	const { result, seconds } = await loadTest({
		url,
		method: 'POST',
		headers,
		body,
		connections: inFlight,
		amount: requests,
		timeout: 120,
		verifyBody: (answer) => isRight(String(answer)),
	});
	const wrong = result.non2xx + result.errors + result.timeouts + result.mismatches;
	const seen = await sandbox.takeRequestCount();
	if (wrong > 0 || seen !== requests) {
		throw new Error(`${wrong} of ${requests} answers are wrong, and the service saw ${seen}`);
	}
	return requests / seconds;
}

/** Until the last answer: autocannon itself ends, and measures, by whole seconds. */
async function loadTest(
	options: autocannon.Options,
): Promise<{ result: autocannon.Result; seconds: number }> {
	let started = performance.now();
	let answered = started;
	return await new Promise((resolve, reject) => {
		const instance = autocannon(options, (error: unknown, result) => {
			if (error) reject(new Error(messageOf(error)));
			else resolve({ result, seconds: (answered - started) / 1_000 });
		});
		instance.on('start', () => (started = performance.now()));
		instance.on('response', () => (answered = performance.now()));
	});
}

/** The median: now and then n8n has something else to do. */
async function millisecondsOfOne(url: string, howMany: number): Promise<number> {
	const times: number[] = [];
	for (let count = 0; count < howMany; count++) {
		const started = performance.now();
		const answer = await (await fetch(url, { method: 'POST', headers, body })).text();
		times.push(performance.now() - started);
		if (!isRight(answer)) throw new Error(`the answer is ${answer}`);
	}
	return median(times);
}
