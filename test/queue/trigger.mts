import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepEvidenceOfFailures } from '../n8n/artifacts.mts';
import { sandboxCredentialFile } from '../n8n/imports.mts';
import { storeCredentials, storeWorkflow } from '../n8n/rest-setup.mts';
import { waitUntil } from '../n8n/poll.mts';
import { secondsBetweenPolls } from '../n8n/workflows.mts';
import { sandboxCredentials, startSandbox } from '../sandbox/server.mts';
import type { LoggedRequest, Sandbox } from '../sandbox/server.mts';
import type { Cluster } from './cluster.mts';
import { changedVersions, deliveries, pollsIn, triggerWorkflow } from './trigger-polls.mts';
import type { Delivery } from './trigger-polls.mts';

const companies = 1_500;
const rounds = 8;
const perRound = 25;
/** Two processes poll at the same second, so a poll that takes this long would overlap with the other's. */
const latencyMs = 400;

let sandbox: Sandbox;
let cluster: Cluster;
let workflowId: string;

/** The requests of some time in which nothing changes. */
async function quietPolls(howMany: number): Promise<LoggedRequest[][]> {
	// The first poll reads the list through. Only the second one knows which records are the newest, and reads them again.
	await waitUntil(
		'two polls to end',
		() => {
			const idleMs = Date.now() - (sandbox.requests.at(-1)?.at ?? 0);
			return pollsIn(sandbox.requests).length >= 2 && idleMs > secondsBetweenPolls * 500;
		},
		60_000,
	);
	sandbox.clearRequests();
	await wait(howMany * secondsBetweenPolls * 1_000);
	return pollsIn(sandbox.requests);
}

function changeRound(round: number): void {
	const ids = [...sandbox.records('company')].map(({ id }) => String(id));
	sandbox.update('company', ids.slice(round * perRound, (round + 1) * perRound));
}

async function changeRounds(from: number, to: number): Promise<void> {
	for (let round = from; round < to; round++) {
		changeRound(round);
		await wait(3_000);
	}
}

/** The trigger in queue mode: main polls, the workers run what it finds. */
export function testTrigger(running: () => Cluster): void {
	beforeAll(async () => {
		cluster = running();
		sandbox = await startSandbox({ companies });
		const file = sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Full);
		const credentials = await storeCredentials(cluster.client, [file]);
		({ id: workflowId } = await storeWorkflow(cluster.client, triggerWorkflow, credentials));
		await cluster.client.activate(workflowId);
		sandbox.setLatency(latencyMs);
	});
	afterAll(async () => {
		if (workflowId) await cluster.client.deactivate(workflowId);
		await sandbox?.stop();
	});
	keepEvidenceOfFailures('queue-trigger', () => ({ logFiles: cluster?.logFiles ?? [], sandbox }));

	test('one process polls: a quiet poll is one request at each poll time', async () => {
		const polls = await quietPolls(6);
		const sizes = polls.map(({ length }) => length);
		const pauses = polls.slice(1).map(([{ at }], place) => at - polls[place][0].at);
		console.log(`The trigger in queue mode, nothing changes for ${6 * secondsBetweenPolls} seconds
	  polls                ${polls.length}, requests of each: ${sizes.join()}
	  time between         ${pauses.map((ms) => (ms / 1_000).toFixed(1)).join()} s`);

		expect(polls.length).toBeGreaterThanOrEqual(5);
		expect(polls.length).toBeLessThanOrEqual(7);
		expect(new Set(sizes)).toEqual(new Set([1]));
	});

	test('200 changes arrive once each on the workers, although main is restarted', async () => {
		sandbox.clearRequests();
		const before = await cluster.startedBy();
		const existing = new Set(changedVersions(sandbox, new Set()));
		await changeRounds(0, 4);
		await cluster.stopMain();
		const down = Date.now();
		await changeRounds(4, 6);
		await wait(2 * secondsBetweenPolls * 1_000);
		const whileDown = sandbox.requests.filter(({ at }) => at > down);
		await cluster.startMain();
		await changeRounds(6, rounds);

		const changed = changedVersions(sandbox, existing);
		expect(changed).toHaveLength(rounds * perRound);
		let arrived: Delivery[] = [];
		const haveArrived = async (): Promise<boolean> => {
			arrived = await deliveries(cluster, workflowId);
			const versions = new Set(arrived.map(({ version }) => version));
			return changed.every((version) => versions.has(version));
		};
		await waitUntil('all changes', haveArrived, 90_000);
		// What would come twice comes with the next polls.
		await wait(2 * secondsBetweenPolls * 1_000);
		arrived = await deliveries(cluster, workflowId);

		const after = await cluster.startedBy();
		const perWorker = Object.entries(after).map(
			([name, ids]) => [name, ids.length - before[name as keyof typeof before].length] as const,
		);
		const executions = new Set(arrived.map(({ executionId }) => executionId));
		const most = Math.max(...sandbox.requests.map(({ inFlight }) => inFlight));
		const polls = pollsIn(sandbox.requests);
		console.log(`${changed.length} changes in ${rounds} rounds, main stopped for a while after the fourth
	  arrived              ${arrived.length} records in ${executions.size} executions, ${new Set(arrived.map(({ version }) => version)).size} different
	  executions           ${perWorker.map(([name, count]) => `${name}: ${count}`).join(', ')}
	  polls                ${polls.length}, with ${sandbox.requests.length} requests, at most ${most} at once
	  while main was down  ${whileDown.length} requests`);

		expect(arrived.map(({ version }) => version).toSorted()).toEqual(changed.toSorted());
		expect(perWorker.reduce((sum, [, count]) => sum + count, 0)).toBe(executions.size);
		expect(most).toBe(1);
		expect(whileDown).toEqual([]);
	});

	test('without a licence n8n refuses a second main in a multi-main setup, and the first goes on', async () => {
		const second = cluster.startSecondMain({ N8N_MULTI_MAIN_SETUP_ENABLED: 'true' });
		const refusal = await second.then(
			async (server) => {
				await server.stop();
				return 'It started';
			},
			(error: unknown) => String(error),
		);
		expect(refusal).toMatch(/not licensed|multipleMainInstances/i);

		const polls = await quietPolls(2);
		expect(polls.length).toBeGreaterThan(0);
		expect(Math.max(...sandbox.requests.map(({ inFlight }) => inFlight))).toBe(1);
	});
}
