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

const rounds = 20;
/** In these of them n8n is killed while a run may be under way. */
const kills = [6, 13];
const scheduleName = 'Every ten minutes';

/** The example with smaller portions than it has. */
const inPortions = (workflow: WorkflowFile, id: string): WorkflowFile => ({
	...changed(workflow, 'Get changes', ({ parameters }) => {
		parameters.options = { maxRecords: 1_000 };
	}),
	id,
});

/** The example with a schedule of seconds, and with a webhook beside it. */
function withOwnStarts(workflow: WorkflowFile): WorkflowFile {
	const portions = inPortions(workflow, workflow.id);
	const copy = changed(portions, scheduleName, ({ parameters }) => {
		parameters.rule = { interval: [{ field: 'seconds', secondsInterval: 5 }] };
	});
	const hook = { ...webhook('sync-now', 'onReceived'), id: 'webhook', position: [0, 224] };
	copy.nodes.push(hook);
	copy.connections[hook.name] = copy.connections[scheduleName];
	return { ...copy, id: newWorkflowId(), name: 'Started by itself' };
}

/** Every version that an execution has read, in all its portions. */
function versionsOf(execution: Execution): string[] {
	return itemsOf(execution, 'Read the file').flatMap(({ json }) =>
		String(json.lines)
			.split('\n')
			.filter((line) => line !== '')
			.map((line) => versionOf(JSON.parse(line) as Record<string, unknown>)),
	);
}

/** The example that copies changes into PostgreSQL, with a real one, loads that fail, and an n8n that is killed. */
export function testSync(running: () => PostgresLab): void {
	let lab: PostgresLab;
	let example: WorkflowFile;
	let portions: WorkflowFile;
	let started: WorkflowFile;
	let another: WorkflowFile;

	beforeAll(async () => {
		lab = running();
		example = (await readExamples())['changes-into-postgresql'];
		portions = inPortions(example, newWorkflowId());
		started = withOwnStarts(example);
		another = { ...example, id: newWorkflowId() };
		for (const workflow of [example, portions, started, another]) await lab.n8n.store(workflow);
	});

	const run = async ({ id } = example) => await lab.n8n.client.runWorkflow(id, scheduleName);
	const goDown = async () =>
		await lab.sql('ALTER TABLE workspace_companies ADD CONSTRAINT down CHECK (false) NOT VALID');
	const comeUp = async () => await lab.sql('ALTER TABLE workspace_companies DROP CONSTRAINT down');
	/** Kills n8n a while after something has begun, wherever that is, and starts it again. */
	const killAfter = async (milliseconds: number): Promise<void> => {
		await wait(milliseconds);
		await lab.n8n.kill();
		await lab.n8n.startAgain();
	};

	test('the first run copies everything, every digit of it, and the next has nothing to do', async () => {
		const execution = await run();
		expect(execution.error?.message).toBeUndefined();
		await expectTableToBeTheService(lab);
		expect(versionsOf(await run())).toEqual([]);
	});

	test('no execution holds more than Max Records per Run: the next run continues', async () => {
		await lab.sql('DROP TABLE workspace_companies');
		for (const records of [1_000, 1_000, 503]) {
			const execution = await run(portions);
			expect(execution.error?.message).toBeUndefined();
			expect(versionsOf(execution)).toHaveLength(records);
			expect(execution.runs['Confirm changes']).toHaveLength(1);
		}
		await expectTableToBeTheService(lab);
	});

	test('a record with NUL and half an emoji arrives with U+FFFD in their place, and all else as it was', async () => {
		serveAwkward(lab);
		const execution = await run(another);
		expect(execution.error?.message).toBeUndefined();
		expect(itemsOf(execution, 'Confirm changes')).not.toEqual([]);
		const row = await lab.sql(
			`SELECT record->>'name', record->>'external_number' FROM workspace_companies WHERE id = '${awkward.id}'`,
		);
		expect(row).toEqual([`${awkward.name}|${awkward.externalNumber}`]);
		await lab.sql(`DELETE FROM workspace_companies WHERE id = '${awkward.id}'`);
	});

	describe('published, started by its schedule and by a webhook', () => {
		/** The table comes to be what the service holds, without anybody's doing. */
		const expectTableSoon = async () =>
			await vi.waitFor(async () => await expectTableToBeTheService(lab), {
				timeout: 60_000,
				interval: 250,
			});

		/** All executions by the schedule or the webhook, ended. */
		async function endedExecutions(): Promise<Execution[]> {
			const { client } = lab.n8n;
			const found: Execution[] = [];
			for (const id of await client.listExecutions(started.id)) {
				const mode = (await client.readExecution(id))?.mode ?? '';
				if (['trigger', 'webhook'].includes(mode)) found.push(await client.waitForExecution(id));
			}
			return found;
		}

		const countBy = (executions: Execution[], mode: string): number =>
			executions.filter((execution) => execution.mode === mode).length;
		const failedOf = (executions: Execution[]): Execution[] =>
			executions.filter(({ status }) => status === 'error');

		beforeAll(async () => {
			await lab.sql('DROP TABLE IF EXISTS workspace_companies');
			await lab.n8n.client.activate(started.id);
			await expectTableSoon();
		});

		test(
			`${rounds} rounds of changes, a database that is down in every third, and two kills: the table is what the service holds`,
			{ timeout: 900_000 },
			async () => {
				const ids = idsHeld(lab.sandbox);
				let failures = { trigger: 0, webhook: 0 };
				for (let round = 0; round < rounds; round++) {
					const isDown = round % 3 === 2;
					const isCalled = round % 2 === 1;
					if (isDown) await goDown();
					lab.sandbox.update('company', ids.slice(round * 97, round * 97 + 20));
					ids.push(...lab.sandbox.create('company', round % 3));
					if (isCalled) {
						const url = `${lab.n8n.server.url}/webhook/sync-now`;
						expect((await fetch(url, { method: 'POST', body: '' })).status).toBe(200);
					}
					if (kills.includes(round)) await killAfter(100 + round * 20);
					if (isDown) {
						// Until both ways to start have met the failure.
						const before = failures;
						const meetFailure = async () => {
							const failed = failedOf(await endedExecutions());
							failures = {
								trigger: countBy(failed, 'trigger'),
								webhook: countBy(failed, 'webhook'),
							};
							expect(failures.trigger).toBeGreaterThan(before.trigger);
							if (isCalled) expect(failures.webhook).toBeGreaterThan(before.webhook);
						};
						await vi.waitFor(meetFailure, { timeout: 60_000, interval: 500 });
						await comeUp();
					}
					await expectTableSoon();
				}
				const executions = await endedExecutions();
				const successes = executions.filter(({ status }) => status === 'success');
				const arrived = new Set(successes.flatMap(versionsOf));
				for (const execution of failedOf(executions)) {
					expect(execution.error?.message).toContain('down');
					// What a load that failed had read came again.
					expect(versionsOf(execution).length).toBeGreaterThan(0);
					expect(versionsOf(execution).filter((version) => !arrived.has(version))).toEqual([]);
				}
				expect(failures.trigger).toBeGreaterThanOrEqual(Math.floor(rounds / 3));
				expect(failures.webhook).toBeGreaterThanOrEqual(1);
				const withChanges = successes.filter((execution) => versionsOf(execution).length > 0);
				expect(countBy(withChanges, 'trigger')).toBeGreaterThan(2);
				expect(countBy(withChanges, 'webhook')).toBeGreaterThan(1);
			},
		);

		test('a run that was overtaken while it wrote does not bring an older version back', async () => {
			await lab.n8n.client.deactivate(started.id);
			await endedExecutions();
			const [id = ''] = idsHeld(lab.sandbox);
			// The first of the writes that follow does not begin before the other run has ended.
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
