/** Plays one random history against a sandbox of its own. */
import { setTimeout as wait } from 'node:timers/promises';
import { sandboxCredentials, startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { runNode } from '../harness/harness.mts';
import { playCalls } from './calls.mts';
import type { DrawnHistory } from './drawing.mts';
import { playList } from './lists.mts';
import type { Outcome, World } from './outcome.mts';
import { playTrigger } from './triggers.mts';

/** Waits are drawn short, so a history that takes longer is one that waits for what it cannot get, in ms. */
const LONGEST_MS = 20_000;

/**
 * Plays a history.
 *
 * @param moved the service that a redirect leads to
 * @throws where what came out is neither right nor an error that says what is missing
 */
export async function play(history: DrawnHistory, moved: Sandbox): Promise<Outcome> {
	const { records, latencyMs } = history;
	const sandbox = await startSandbox({
		companies: records,
		orders: records,
		items: records,
		deals: records,
		latencyMs,
	});
	const ended = new AbortController();
	try {
		const credential = {
			baseUrl: sandbox.url,
			apiVersion: 'v2',
			apiKey: sandboxCredentials.v2Full,
		};
		const world: World = {
			sandbox,
			moved,
			credential,
			run: async (parameters, options) => await runNode({ parameters, credential, ...options }),
		};
		return await Promise.race([playIn(world, history), tooLong(ended.signal)]);
	} finally {
		ended.abort();
		moved.clearRequests();
		await sandbox.stop();
	}
}

async function playIn(world: World, history: DrawnHistory): Promise<Outcome> {
	if (history.kind === 'list') return await playList(world, history);
	if (history.kind === 'call') return await playCalls(world, history);
	return await playTrigger(world, history);
}

async function tooLong(signal: AbortSignal): Promise<never> {
	await wait(LONGEST_MS, undefined, { signal });
	throw new Error(`Nothing has come of it after ${LONGEST_MS / 1000} s.`);
}
