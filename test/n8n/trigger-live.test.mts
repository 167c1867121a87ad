/** Tests the trigger in a real n8n, which polls every few seconds and is killed twice. */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { useOwnN8n } from './lab.mts';
import { waitUntil } from './poll.mts';
import { itemsOf } from './rest.mts';
import { idsHeld, versionsHeld } from './service.mts';
import { deliveries, environments, pollsEnded, triggerWorkflow } from './trigger-polls.mts';

const companies = 1_500;
/** Number of groups of companies. The last group is changed while the workflow is unpublished. */
const groups = 21;
const perGroup = 25;

// Run both tests at the same time, because they mostly wait for polls.
describe.concurrent.each(['memory', 'durable'] as const)(
	'the trigger in a real n8n with %s cursors',
	(cursors) => {
		const workflow = triggerWorkflow();
		const lab = useOwnN8n(
			{ name: `trigger-${cursors}`, sandbox: { companies }, workflows: () => [workflow] },
			environments[cursors],
		);

		test(
			'returns each of 525 changes once, even if n8n is killed twice and the workflow is unpublished',
			{ timeout: 900_000 },
			async () => {
				const { sandbox, n8n } = lab;
				const { id } = workflow;
				const [{ name: triggerName }] = workflow.nodes;
				const countExecutions = async () => (await n8n.client.listExecutions(id)).length;
				const delivered = async () => await deliveries(n8n.client, id);
				/** Waits until this number of polls has begun and ended. */
				const waitForPolls = async (count: number): Promise<void> => {
					const from = Date.now();
					const haveEnded = (): boolean => pollsEnded(sandbox.requests, from) >= count;
					await waitUntil(`${count} polls`, haveEnded, 120_000);
				};
				/** Changes each company of a group once. */
				const changeGroup = (group: number): void =>
					sandbox.update(
						'company',
						idsHeld(sandbox).slice(group * perGroup, (group + 1) * perGroup),
					);
				/** Kills n8n during a request of a poll, so that n8n cannot have stored anything from this poll. */
				const killDuringPoll = async (): Promise<void> => {
					sandbox.setLatency(500);
					const isUnderWay = (): boolean => sandbox.requests.at(-1)?.status === 0;
					await waitUntil('a request under way', isUnderWay, 60_000);
					await n8n.kill();
					sandbox.setLatency(0);
				};
				/** Kills n8n as soon as a poll has started an execution. */
				const killAfterDelivery = async (change: () => void): Promise<void> => {
					const before = await countExecutions();
					change();
					const hasStarted = async (): Promise<boolean> => (await countExecutions()) > before;
					await waitUntil('an execution', hasStarted, 90_000);
					await n8n.kill();
				};

				// "Fetch Test Event" and "Execute workflow" start the trigger in the same way, and must store no
				// progress.
				const shown = itemsOf(await lab.run(workflow, triggerName), triggerName);
				expect(shown.length, 'shown').toBeGreaterThan(0);
				const stored = await n8n.client.request<{ staticData?: unknown }>(
					'GET',
					`/workflows/${id}`,
				);
				expect(stored.staticData ?? null).toBeNull();

				await n8n.client.activate(id);
				// Wait for three polls. With durable cursors, the poll at publication does not set the starting point
				// of the trigger, so the next poll does.
				await waitForPolls(3);
				const existing = new Set(versionsHeld(sandbox));
				const executionsBefore = await countExecutions();
				await n8n.client.deactivate(id);
				// Wait for the end of a poll that may still be running.
				await wait(2_000);
				const requestsBefore = sandbox.requests.length;
				changeGroup(groups - 1);
				await wait(10_000);
				expect(sandbox.requests).toHaveLength(requestsBefore);
				await n8n.client.activate(id);
				for (let group = 0; group < groups - 1; group++) {
					if (group === 12) await killAfterDelivery(() => changeGroup(group));
					else changeGroup(group);
					if (group === 5) await killDuringPoll();
					// n8n is down while the next two groups are changed.
					if (group === 7 || group === 14) await n8n.startAgain();
					await wait(1_000);
				}

				const changed = versionsHeld(sandbox, existing);
				expect(changed).toHaveLength(groups * perGroup);
				const versions = async () => new Set((await delivered()).map(({ version }) => version));
				const isComplete = async (): Promise<boolean> => {
					const arrived = await versions();
					return changed.every((version) => arrived.has(version));
				};
				await waitUntil('all changes', isComplete, 180_000);
				await waitForPolls(2);

				// Ignore records that existed before, because the execution of the test event shows them.
				const arrived = (await delivered()).filter(({ version }) => !existing.has(version));
				const duplicates = arrived.length - new Set(arrived.map(({ version }) => version)).size;
				console.log(
					`${cursors} cursors: ${changed.length} changes, ${arrived.length} deliveries in ${(await countExecutions()) - executionsBefore} executions, ${duplicates} duplicates, 2 kills`,
				);
				expect((await versions()).size).toBe(changed.length + shown.length);
				// No batch must be returned twice. n8n was killed once before a poll ended, and once after it had
				// stored the result of a poll.
				expect(duplicates).toBe(0);
			},
		);
	},
);
