import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { newWorkflowId, readExamples, type WorkflowFile } from '../n8n/imports.mts';
import { itemsOf, type Execution } from '../n8n/rest.mts';
import { idsHeld, versionOf } from '../n8n/service.mts';
import { changed, webhook } from '../n8n/workflows.mts';
import {
	awkward,
	expectTableToBeTheService,
	serveAwkward,
	type PostgresLab,
} from './postgres-lab.mts';

const scheduleName = 'Every ten minutes';

/** Returns the example changes-into-postgresql with at most 1,000 changes per run. */
const withBatchSize = (workflow: WorkflowFile, id: string): WorkflowFile => ({
	...changed(workflow, 'Get changes', ({ parameters }) => {
		parameters.options = { maxRecords: 1_000 };
	}),
	id,
});

/** Returns a copy of the example workflow that runs every five seconds, and whenever its webhook is called. */
function withOwnStarts(workflow: WorkflowFile): WorkflowFile {
	const batches = withBatchSize(workflow, workflow.id);
	const copy = changed(batches, scheduleName, ({ parameters }) => {
		parameters.rule = { interval: [{ field: 'seconds', secondsInterval: 5 }] };
	});
	const hook = { ...webhook('sync-now', 'onReceived'), id: 'webhook', position: [0, 224] };
	copy.nodes.push(hook);
	copy.connections[hook.name] = copy.connections[scheduleName];
	return { ...copy, id: newWorkflowId(), name: 'Started by itself' };
}

/** Returns the versions of all records that an execution has read. */
function versionsOf(execution: Execution): string[] {
	return itemsOf(execution, 'Read the file').flatMap(({ json }) =>
		String(json.lines)
			.split('\n')
			.filter((line) => line !== '')
			.map((line) => versionOf(JSON.parse(line) as Record<string, unknown>)),
	);
}

/** Tests the example that copies changes into PostgreSQL, while writes fail and n8n is killed. */
export function testSync(lab: PostgresLab): void {
	let batches: WorkflowFile;
	let started: WorkflowFile;
	let another: WorkflowFile;

	beforeAll(async () => {
		const example = (await readExamples())['changes-into-postgresql'];
		batches = withBatchSize(example, newWorkflowId());
		started = withOwnStarts(example);
		another = { ...example, id: newWorkflowId() };
		for (const workflow of [batches, started, another]) await lab.n8n.store(workflow);
	});

	const run = async (workflow: WorkflowFile) => await lab.succeed(workflow, scheduleName);
	const goDown = async () =>
		await lab.sql('ALTER TABLE workspace_companies ADD CONSTRAINT down CHECK (false) NOT VALID');
	const comeUp = async () => await lab.sql('ALTER TABLE workspace_companies DROP CONSTRAINT down');
	/** Waits, kills n8n whatever it is doing, and starts n8n again. */
	const killAfter = async (milliseconds: number): Promise<void> => {
		await wait(milliseconds);
		await lab.n8n.kill();
		await lab.n8n.startAgain();
	};

	test('returns at most 1,000 changes per run if Limit (Records per Run) is 1,000', async () => {
		for (const records of [1_000, 1_000, 503, 0]) {
			const execution = await run(batches);
			expect(versionsOf(execution)).toHaveLength(records);
			expect(execution.runs['Confirm changes'] ?? []).toHaveLength(records > 0 ? 1 : 0);
		}
		await expectTableToBeTheService(lab);
	});

	test('replaces NUL characters and lone surrogates with U+FFFD, and changes nothing else', async () => {
		serveAwkward(lab);
		const execution = await run(another);
		expect(itemsOf(execution, 'Confirm changes')).not.toEqual([]);
		const row = await lab.sql(
			`SELECT record->>'name', record->>'external_number' FROM workspace_companies WHERE id = '${awkward.id}'`,
		);
		expect(row).toEqual([`${awkward.name}|${awkward.externalNumber}`]);
		await lab.sql(`DELETE FROM workspace_companies WHERE id = '${awkward.id}'`);
	});

	describe('the published example, started by a schedule and a webhook', () => {
		/** Waits until the table holds the current records of the service. */
		const expectTableSoon = async () =>
			await vi.waitFor(async () => await expectTableToBeTheService(lab), {
				timeout: 60_000,
				interval: 250,
			});

		/** Waits until all executions that the schedule or the webhook started have ended, and returns them. */
		async function endedExecutions(): Promise<Execution[]> {
			const { client } = lab.n8n;
			const found: Execution[] = [];
			for (const id of await client.listExecutions(started.id)) {
				const mode = (await client.readExecution(id))?.mode ?? '';
				if (['trigger', 'webhook'].includes(mode)) found.push(await client.waitForExecution(id));
			}
			return found;
		}

		/** Changes twenty companies in the service, and calls the webhook that starts the example. */
		async function changeAndCall(from: number): Promise<void> {
			lab.sandbox.update('company', idsHeld(lab.sandbox).slice(from, from + 20));
			const url = `${lab.n8n.server.url}/webhook/sync-now`;
			expect((await fetch(url, { method: 'POST', body: '' })).status).toBe(200);
		}

		/** Waits for a run that finds no change. Such a run proves that all written changes are confirmed. */
		const waitForQuietRun = async () =>
			await vi.waitFor(
				async () => {
					const [newest] = await endedExecutions();
					expect(newest).toMatchObject({ status: 'success' });
					expect(versionsOf(newest)).toEqual([]);
				},
				{ timeout: 60_000, interval: 500 },
			);

		beforeAll(async () => {
			await lab.sql('DROP TABLE workspace_companies');
			await lab.n8n.client.activate(started.id);
			await expectTableSoon();
			await waitForQuietRun();
		});

		test('returns changes again in the next run if the database was down', async () => {
			await goDown();
			await changeAndCall(0);
			let failed: Execution[] = [];
			const failByBoth = async () => {
				failed = (await endedExecutions()).filter(({ status }) => status === 'error');
				const modes = failed.map(({ mode }) => mode);
				expect(modes).toEqual(expect.arrayContaining(['trigger', 'webhook']));
			};
			await vi.waitFor(failByBoth, { timeout: 60_000, interval: 500 });
			await comeUp();
			await expectTableSoon();
			for (const execution of failed) {
				expect(execution.error?.message).toContain('down');
				expect(versionsOf(execution)).toHaveLength(20);
			}
		});

		test.each([220, 360])(
			'loses no change if n8n is killed %i ms after a webhook started a run',
			async (milliseconds) => {
				await changeAndCall(milliseconds);
				lab.sandbox.create('company', 2);
				await killAfter(milliseconds);
				await expectTableSoon();
			},
		);

		test('does not overwrite a newer version of a record if a slow run writes after a faster run', async () => {
			await lab.n8n.client.deactivate(started.id);
			await endedExecutions();
			// First read the changes that the killed run has written but not confirmed.
			await run(started);
			const [id = ''] = idsHeld(lab.sandbox);
			// A database trigger delays the first of the next writes until the second run has ended.
			await lab.sql('CREATE SEQUENCE writes');
			await lab.sql('CREATE TABLE overtaken (at timestamptz)');
			await lab.sql(
				`CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF nextval('writes') = 1 THEN WHILE NOT EXISTS (SELECT FROM overtaken) LOOP PERFORM pg_sleep(0.1); END LOOP; END IF; RETURN NULL; END $$`,
			);
			await lab.sql(
				'CREATE TRIGGER hold BEFORE INSERT ON workspace_companies EXECUTE FUNCTION hold()',
			);

			lab.sandbox.update('company', [id]);
			const held = run(started);
			await vi.waitFor(
				async () => expect(await lab.sql('SELECT is_called FROM writes')).toEqual(['t']),
				{ timeout: 20_000 },
			);
			lab.sandbox.update('company', [id]);
			const overtaking = await run(started);
			expect(versionsOf(overtaking)).toHaveLength(1);
			await expectTableToBeTheService(lab);
			await lab.sql('INSERT INTO overtaken VALUES (now())');
			const overtaken = await held;
			expect(versionsOf(overtaken)).not.toEqual(versionsOf(overtaking));
			expect(JSON.stringify(overtaken.runs['Confirm changes'])).toContain('Nothing was confirmed');
			await expectTableToBeTheService(lab);
		});
	});
}
