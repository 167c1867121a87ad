/**
 * Tests two triggers in one workflow of a real n8n, which stores their progress together. The triggers are published,
 * renamed and recreated, and n8n is killed.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { useOwnN8n } from './lab.mts';
import { waitUntil } from './poll.mts';
import { idsHeld, versionsHeld } from './service.mts';
import { deliveries, environments, pollsEnded } from './trigger-polls.mts';
import { chain, pollingTrigger, type WorkflowNode } from './workflows.mts';

const companies = 60;
const perGroup = 5;

describe.concurrent.each(['memory', 'durable'] as const)('two triggers (%s cursors)', (cursors) => {
	const workflow = chain('Two triggers', [pollingTrigger()]);
	const { id } = workflow;
	const lab = useOwnN8n(
		{ name: `two-triggers-${cursors}`, sandbox: { companies }, workflows: () => [workflow] },
		environments[cursors],
	);

	test(
		'returns each change once from each trigger, even if triggers are renamed and recreated, and n8n is killed',
		{ timeout: 900_000 },
		async () => {
			const { sandbox, n8n } = lab;
			type Stored = { nodes: WorkflowNode[]; versionId: string };
			const stored = async () => await n8n.client.request<Stored>('GET', `/workflows/${id}`);
			/** Saves and publishes the workflow with these triggers. */
			const publish = async (nodes: WorkflowNode[]): Promise<void> => {
				const { versionId } = await stored();
				const body = { nodes, connections: {}, versionId };
				await n8n.client.request('PATCH', `/workflows/${id}`, body);
				await n8n.client.activate(id);
			};
			const waitForPolls = async (count: number): Promise<void> => {
				const from = Date.now();
				const haveEnded = (): boolean => pollsEnded(sandbox.requests, from) >= count;
				await waitUntil(`${count} polls`, haveEnded, 120_000);
			};
			/** Returns how often the triggers returned each version of a company that is not in `existing`. */
			const countReturns = async (existing: ReadonlySet<string>): Promise<number[]> => {
				const returned = (await deliveries(n8n.client, id)).map(({ version }) => version);
				return versionsHeld(sandbox, existing).map(
					(version) => returned.filter((one) => one === version).length,
				);
			};
			let groups = 0;
			/** Changes some companies, and checks that each trigger returns each change once. */
			const expectBoth = async (
				what: string,
				duringChange = async () => {},
				withinMs = 120_000,
			): Promise<void> => {
				const existing = new Set(versionsHeld(sandbox));
				const from = groups++ * perGroup;
				sandbox.update('company', idsHeld(sandbox).slice(from, from + perGroup));
				await duringChange();
				const areReturned = async () => (await countReturns(existing)).every((times) => times >= 2);
				await waitUntil(what, areReturned, withinMs);
				await waitForPolls(1);
				expect(await countReturns(existing), what).toEqual(Array<number>(perGroup).fill(2));
			};

			await n8n.client.activate(id);
			// Wait for two polls. With durable cursors, the poll at publication does not set the starting point of the
			// trigger, so the next poll does.
			await waitForPolls(2);
			const [first] = (await stored()).nodes;
			const second = { ...first, id: randomUUID(), name: 'Added' };
			await publish([first, second]);
			await waitForPolls(2);
			await expectBoth('changes after one was added');
			await n8n.kill();
			await expectBoth('changes while n8n is not there', n8n.startAgain);
			await expectBoth('changes after that');

			[first.name, second.name] = [second.name, first.name];
			await publish([first, second]);
			await expectBoth('changes after the names have changed hands');
			await n8n.kill();
			await expectBoth('changes while n8n is not there again', n8n.startAgain);

			// The node must not mark HTTP 404 as permanent, because n8n waits half an hour after a permanent error.
			sandbox.addFault({ status: 404, times: 2 });
			const areRefused = (): boolean =>
				sandbox.requests.filter(({ status }) => status === 404).length >= 2;
			await waitUntil('two refused polls', areRefused, 120_000);
			await expectBoth('changes within a minute after a passing 404', async () => {}, 60_000);

			// Both triggers must stay active if the service throttles during the publication. With durable cursors, n8n
			// waits as long as Retry-After says.
			sandbox.addFault({ status: 429, times: Infinity, headers: { 'retry-after': '40' } });
			for (const one of [first, second])
				one.parameters = {
					...one.parameters,
					options: { pagination: { values: { pageSize: 50 } } },
				};
			await expectBoth('changes while the service refuses', async () => {
				await publish([first, second]);
				await wait(2_000);
				sandbox.clearFaults();
			});

			// Replace the second trigger with a new trigger of the same name.
			const before = (await deliveries(n8n.client, id)).length;
			const recreated = { ...second, id: randomUUID() };
			recreated.parameters = { ...second.parameters, startFrom: 'beginning' };
			await publish([first, recreated]);
			const hasAll = async () => (await deliveries(n8n.client, id)).length >= before + companies;
			await waitUntil('all records', hasAll, 120_000);
			await expectBoth('changes after one was made again');

			sandbox.addFault({ status: 401, times: Infinity });
			recreated.parameters = { ...recreated.parameters, options: {} };
			await expect(publish([first, recreated])).rejects.toThrow('n8n cannot start a trigger');
		},
	);
});
