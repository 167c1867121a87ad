import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import getPort from 'get-port';
import { ExplainedError } from '../n8n/errors.mts';
import { repositoryFolder } from '../n8n/paths.mts';
import type { Fault, LoggedRequest, ProcessedCalls } from '../sandbox/types.mts';
import { largestPage } from './types.mts';

/** A sandbox in a process of its own, so that its work is not counted as that of what is measured. */
export interface SandboxProcess {
	url: string;
	/** The wait before each answer. */
	setLatency(ms: number): Promise<void>;
	/** Forgets the log of requests and says how many there were. */
	takeRequestCount(): Promise<number>;
	addFault(fault: Fault): Promise<void>;
	clearFaults(): Promise<void>;
	/** Since the log was forgotten: requests without a right answer, and enrichments that were processed. */
	countFailures(): Promise<{ failed: number; processed: number }>;
	stop(): Promise<void>;
}

const startTimeoutMs = 30_000;

/**
 * Starts a sandbox with so many companies and waits until it answers.
 *
 * @throws ExplainedError when it does not
 */
export async function startSandboxProcess(companies: number): Promise<SandboxProcess> {
	const port = await getPort();
	const script = path.join(repositoryFolder, 'test/sandbox/cli.mts');
	const unkind = JSON.stringify({ silentPageCap: largestPage });
	const options = { port, companies, orders: 0, items: 0, deals: 0, unkind };
	const words = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
	const child = spawn(process.execPath, [script, ...words], {
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
	const endWithParent = () => child.kill('SIGKILL');
	process.on('exit', endWithParent);
	const url = `http://127.0.0.1:${port}`;
	const control = async (method: string, route: string, body?: unknown): Promise<unknown> => {
		const response = await fetch(`${url}/sandbox/${route}`, {
			method,
			...(body === undefined
				? {}
				: { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
		});
		return await response.json();
	};
	await waitUntilUp(url, () => child.exitCode !== null);
	return {
		url,
		setLatency: async (latencyMs) => void (await control('POST', 'settings', { latencyMs })),
		takeRequestCount: async () => {
			const { count } = (await control('GET', 'requests?countOnly=1')) as { count: number };
			await control('POST', 'clear');
			return count;
		},
		addFault: async (fault) => void (await control('POST', 'faults', fault)),
		clearFaults: async () => void (await control('DELETE', 'faults')),
		countFailures: async () => {
			const { requests } = (await control('GET', 'requests')) as { requests: LoggedRequest[] };
			const calls = (await control('GET', 'calls')) as ProcessedCalls;
			const failed = requests.filter(({ status }) => status !== 200).length;
			return { failed, processed: calls.enrich.length };
		},
		stop: async () => {
			process.off('exit', endWithParent);
			child.kill('SIGTERM');
			await ended;
		},
	};
}

async function waitUntilUp(url: string, hasEnded: () => boolean): Promise<void> {
	const deadline = Date.now() + startTimeoutMs;
	while (Date.now() < deadline && !hasEnded()) {
		const isUp = await fetch(`${url}/sandbox/health`).then(
			({ ok }) => ok,
			() => false,
		);
		if (isUp) return;
		await wait(100);
	}
	throw new ExplainedError('The sandbox did not start.');
}
