import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { waitUntil } from '../n8n/poll.mts';
import { idsHeld, versionsHeld } from '../n8n/service.mts';
import { deliveries, pollsEnded, triggerWorkflow } from '../n8n/trigger-polls.mts';
import type { Delivery } from '../n8n/trigger-polls.mts';
import { secondsBetweenPolls } from '../n8n/workflows.mts';
import type { Cluster } from './cluster.mts';
import { usePart } from './part.mts';

const rounds = 8;
const perRound = 25;
/** Latency of the service in ms. It is so long that requests would overlap if two processes polled at the same time. */
const latencyMs = 400;

/** Tests the trigger in queue mode. The main process polls, and the workers run the workflow. */
export function testTrigger(running: () => Cluster): void {
	// Use a fixed page size, so that each poll sends one request. Otherwise the node would try several page sizes.
	const workflow = triggerWorkflow({ pagination: { values: { pageSize: 100 } } });
	const part = usePart(running, {
		name: 'queue-trigger',
		sandbox: { companies: 1_500, latencyMs },
		workflows: () => [workflow],
	});

	async function changeRounds(from: number, to: number): Promise<void> {
		for (let round = from; round < to; round++) {
			const ids = idsHeld(part.sandbox).slice(round * perRound, (round + 1) * perRound);
			part.sandbox.update('company', ids);
			await wait(3_000);
		}
	}

	test('passes each of 200 changes to the workers once, even if the main process of n8n restarts in the meantime', async () => {
		const { sandbox } = part;
		const cluster = running();
		// Wait for two polls, because the trigger returns changes only after a poll has reached the end of the list.
		const haveEnded = (): boolean => pollsEnded(sandbox.requests, 0) >= 2;
		await waitUntil('two polls to end', haveEnded, 60_000);
		const before = Object.values(await cluster.startedBy()).flat();
		const existing = new Set(versionsHeld(sandbox));
		await changeRounds(0, 4);
		await cluster.stopMain();
		const down = Date.now();
		await changeRounds(4, 6);
		// The main process stays down for longer than the time between two polls.
		const whileDown = sandbox.requests.filter(({ at }) => at > down);
		await cluster.startMain();
		await changeRounds(6, rounds);

		const changed = versionsHeld(sandbox, existing);
		expect(changed).toHaveLength(rounds * perRound);
		let arrived: Delivery[] = [];
		const haveArrived = async (): Promise<boolean> => {
			arrived = await deliveries(cluster.client, workflow.id);
			const versions = new Set(arrived.map(({ version }) => version));
			return changed.every((version) => versions.has(version));
		};
		await waitUntil('all changes', haveArrived, 90_000);
		// Wait for two more polls, which would show changes that are returned twice.
		await wait(2 * secondsBetweenPolls * 1_000);
		arrived = await deliveries(cluster.client, workflow.id);

		const after = Object.values(await cluster.startedBy()).flat();
		const executions = new Map(arrived.map(({ execution }) => [execution.id, execution]));
		expect([...executions.values()].filter(({ status }) => status !== 'success')).toEqual([]);
		expect(arrived.map(({ version }) => version).toSorted()).toEqual(changed.toSorted());
		expect(after).toHaveLength(before.length + executions.size);
		// Requests never overlap, because only one process polls.
		expect(Math.max(...sandbox.requests.map(({ inFlight }) => inFlight))).toBe(1);
		expect(whileDown).toEqual([]);
	});
}
