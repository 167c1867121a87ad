import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../sandbox/server.mts';
import type { Sandbox } from '../sandbox/types.mts';
import { waitUntil } from './poll.mts';
import { LiveTrigger } from './trigger-live.mts';
import type { Cursors } from './trigger-live.mts';

const companies = 1_500;
/** The last of them is changed while the workflow is switched off. */
const groups = 21;
const perGroup = 25;

/** The 525 companies that are changed, a group at a time, each once. */
function changeGroup(running: Sandbox, number: number): void {
	const ids = [...running.records('company')].map(({ id }) => String(id));
	running.update('company', ids.slice(number * perGroup, (number + 1) * perGroup));
}

/** Kills n8n while a request of a poll is under way: nothing of that poll can have been stored. */
async function killDuringPoll(trigger: LiveTrigger, running: Sandbox): Promise<void> {
	running.setLatency(500);
	const isUnderWay = (): boolean => running.requests.at(-1)?.status === 0;
	await waitUntil('a request under way', isUnderWay, 60_000);
	await trigger.kill();
	running.setLatency(0);
}

/** Kills n8n as soon as a poll has started an execution. */
async function killAfterDelivery(trigger: LiveTrigger, change: () => void): Promise<void> {
	const before = (await trigger.executions()).length;
	change();
	const hasStarted = async (): Promise<boolean> => (await trigger.executions()).length > before;
	await waitUntil('an execution', hasStarted, 90_000);
	await trigger.kill();
}

// Both mostly wait for the next poll, so they run beside each other.
describe.concurrent.each<Cursors>(['memory', 'durable'])(
	'a real n8n with %s cursors',
	(cursors) => {
		test(
			'starts the workflow with every one of 525 changes, although n8n is killed twice and the workflow switched off',
			{ timeout: 900_000 },
			async ({ onTestFinished }) => {
				const running = await startSandbox({ companies });
				onTestFinished(running.stop);
				const trigger = await LiveTrigger.start(running, cursors);
				onTestFinished(async () => await trigger.stop());

				const shown = await trigger.fetchTestEvent();
				expect(shown.length).toBeGreaterThan(0);
				expect(await trigger.storedState()).toBeNull();

				await trigger.activate();
				// With durable cursors, the start is what the first poll after that of the activation finds.
				await trigger.waitForPolls(3);
				const existing = new Set(
					[...running.records('company')].map(
						({ id, updated_at }) => `${String(id)} ${String(updated_at)}`,
					),
				);
				const executionsBefore = (await trigger.executions()).length;
				await trigger.deactivate();
				// A poll that was under way may end.
				await wait(2_000);
				const requestsBefore = running.requests.length;
				changeGroup(running, groups - 1);
				await wait(10_000);
				expect(running.requests).toHaveLength(requestsBefore);
				await trigger.activate();
				for (let group = 0; group < groups - 1; group++) {
					if (group === 12) await killAfterDelivery(trigger, () => changeGroup(running, group));
					else changeGroup(running, group);
					if (group === 5) await killDuringPoll(trigger, running);
					// Two groups are changed while n8n is not there at all.
					if (group === 7 || group === 14) await trigger.boot();
					await wait(1_000);
				}

				const changed = [...running.records('company')]
					.map(({ id, updated_at }) => `${String(id)} ${String(updated_at)}`)
					.filter((version) => !existing.has(version));
				expect(changed).toHaveLength(groups * perGroup);
				const arrived = async (): Promise<Set<string>> =>
					new Set((await trigger.deliveries()).map(({ version }) => version));
				const isComplete = async (): Promise<boolean> => {
					const versions = await arrived();
					return changed.every((version) => versions.has(version));
				};
				await waitUntil('all changes', isComplete, 180_000);
				await trigger.waitForPolls(2);

				// The execution of the test event shows records that existed before.
				const deliveries = (await trigger.deliveries()).filter(
					({ version }) => !existing.has(version),
				);
				const executions = (await trigger.executions()).length - executionsBefore;
				const duplicates =
					deliveries.length - new Set(deliveries.map(({ version }) => version)).size;
				console.log(
					`${cursors} cursors: ${changed.length} changes, ${deliveries.length} deliveries in ${executions} executions, ${duplicates} duplicates, 2 kills`,
				);
				expect((await arrived()).size).toBe(changed.length + shown.length);
				// n8n was killed before a poll's end and after its result was stored, so no batch may come twice.
				expect(duplicates).toBe(0);
			},
		);
	},
);
