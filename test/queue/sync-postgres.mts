import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { newWorkflowId, readExamples } from '../n8n/imports.mts';
import type { WorkflowFile } from '../n8n/imports.mts';
import { itemsOf } from '../n8n/rest.mts';
import type { Execution } from '../n8n/rest.mts';
import { changed, webhook } from '../n8n/workflows.mts';
import { expectTableToBeTheService } from './postgres-lab.mts';
import type { PostgresLab } from './postgres-lab.mts';

const rounds = 20;
const startedRounds = 20;
/** In these of them n8n is killed while a run is under way. */
const startedKills = [7, 13];
const intervalSeconds = 5;
const scheduleName = 'Every hour';

/** An execution with what started it. */
type StartedExecution = Execution & { mode: string };

let lab: PostgresLab;
let example: WorkflowFile;
let started: WorkflowFile;

/** The example with a schedule of seconds, and with a webhook beside it. */
function withOwnStarts(workflow: WorkflowFile): WorkflowFile {
	const copy = changed(workflow, scheduleName, ({ parameters }) => {
		parameters.rule = { interval: [{ field: 'seconds', secondsInterval: intervalSeconds }] };
	});
	const hook = { ...webhook('sync-now', 'onReceived'), id: 'webhook', position: [0, 224] };
	copy.nodes.push(hook);
	copy.connections[hook.name] = copy.connections[scheduleName];
	return { ...copy, id: newWorkflowId(), name: 'Started by itself' };
}

async function run(): Promise<Execution> {
	return await lab.client.runWorkflow(example.id, scheduleName);
}

/** Every version that an execution has read, in all its portions. */
function versionsOf(execution: Execution): string[] {
	return itemsOf(execution, 'Read the file').flatMap(({ json }) =>
		String(json.lines)
			.split('\n')
			.filter((line) => line !== '')
			.map((line) => JSON.parse(line) as Record<string, unknown>)
			.map(({ id, updated_at }) => `${String(id)}|${String(updated_at)}`),
	);
}

const goDown = async () =>
	await lab.sql('ALTER TABLE workspace_companies ADD CONSTRAINT down CHECK (false) NOT VALID');
const comeUp = async () => await lab.sql('ALTER TABLE workspace_companies DROP CONSTRAINT down');

/** The example that copies changes into PostgreSQL, with a real one, loads that fail, and an n8n that is killed. */
export function testSync(running: () => PostgresLab): void {
	beforeAll(async () => {
		lab = running();
		example = (await readExamples())['changes-into-postgresql'];
		started = withOwnStarts(example);
		await lab.store(example);
		await lab.store(started);
	});

	test('the first run copies everything, a thousand at a time', async () => {
		const execution = await run();
		expect(execution.error?.message).toBeUndefined();
		expect(execution.runs['Get changes']).toHaveLength(3);
		expect(itemsOf(execution, 'Confirm changes').length).toBeGreaterThan(0);
		await expectTableToBeTheService(lab);
		const quiet = await run();
		expect(versionsOf(quiet)).toEqual([]);
	});

	test(
		`${rounds} rounds of changes with failing loads and two kills: the table is what the service holds`,
		{ timeout: 600_000 },
		async () => {
			const { sandbox } = lab;
			const confirmed = new Set<string>();
			const ids = [...sandbox.records('company')].map(({ id }) => String(id));
			let failed = 0;
			for (let round = 0; round < rounds; round++) {
				const place = (round * 131) % ids.length;
				sandbox.update('company', ids.slice(place, place + 7 + round * 3));
				ids.push(...sandbox.create('company', round % 4));
				const isDown = round % 3 === 1;
				if (isDown) await goDown();
				if (round === 6 || round === 14) {
					// While the run is under way, wherever it is.
					const running = run().catch(() => undefined);
					await wait(150 + round * 40);
					await lab.killN8n();
					await running;
					continue;
				}
				const execution = await run();
				const versions = versionsOf(execution);
				for (const version of versions) {
					expect(confirmed.has(version), `${version} was confirmed and came again`).toBe(false);
				}
				if (isDown) {
					expect(execution.error?.message).toContain('down');
					failed++;
					await comeUp();
				} else {
					expect(execution.error?.message).toBeUndefined();
					for (const version of versions) confirmed.add(version);
					await expectTableToBeTheService(lab);
				}
			}
			expect(failed).toBeGreaterThan(4);
			const last = await run();
			expect(last.error?.message).toBeUndefined();
			await expectTableToBeTheService(lab);
		},
	);

	describe('published, started by its schedule and by a webhook', () => {
		const post = async () =>
			await fetch(`${lab.n8n.server.url}/webhook/sync-now`, { method: 'POST', body: '' });

		/** The table comes to be what the service holds, without anybody's doing. */
		const expectTableSoon = async () =>
			await vi.waitFor(async () => await expectTableToBeTheService(lab), {
				timeout: 60_000,
				interval: 250,
			});

		/** All executions by the schedule or the webhook, ended, oldest first. */
		async function endedExecutions(): Promise<StartedExecution[]> {
			const found: StartedExecution[] = [];
			for (const id of (await lab.client.listExecutions(started.id)).toReversed()) {
				// The small ones that reach the data table are listed while they run, and gone afterwards.
				const about = await lab.client.request<{ mode: string } | undefined>(
					'GET',
					`/executions/${id}`,
				);
				if (about?.mode !== 'trigger' && about?.mode !== 'webhook') continue;
				found.push({ ...(await lab.client.waitForExecution(id)), mode: about.mode });
			}
			return found;
		}

		const failedBy = (executions: StartedExecution[], mode: string) =>
			executions.filter((execution) => execution.mode === mode && execution.status === 'error');

		beforeAll(async () => {
			await lab.sql('DROP TABLE IF EXISTS workspace_companies');
			await lab.client.activate(started.id);
			await expectTableSoon();
		});

		test(
			`${startedRounds} rounds of changes, a database that is down in every third, and two kills`,
			{ timeout: 900_000 },
			async () => {
				const { sandbox } = lab;
				const ids = [...sandbox.records('company')].map(({ id }) => String(id));
				let failures = { trigger: 0, webhook: 0 };
				for (let round = 0; round < startedRounds; round++) {
					const isDown = round % 3 === 2;
					if (isDown) await goDown();
					sandbox.update('company', ids.slice(round * 97, round * 97 + 20));
					ids.push(...sandbox.create('company', round % 3));
					if (round % 2 === 1) expect((await post()).status).toBe(200);
					if (startedKills.includes(round)) {
						await wait(100 + round * 20);
						await lab.killN8n();
					}
					if (isDown) {
						// Until both ways to start have met the failure.
						const before = failures;
						await vi.waitFor(
							async () => {
								const ended = await endedExecutions();
								failures = {
									trigger: failedBy(ended, 'trigger').length,
									webhook: failedBy(ended, 'webhook').length,
								};
								expect(failures.trigger).toBeGreaterThan(before.trigger);
								if (round % 2 === 1) expect(failures.webhook).toBeGreaterThan(before.webhook);
							},
							{ timeout: 60_000, interval: 500 },
						);
						await comeUp();
					}
					await expectTableSoon();
				}
				const executions = await endedExecutions();
				const successes = executions.filter(({ status }) => status === 'success');
				const arrived = new Set(successes.flatMap(versionsOf));
				for (const execution of executions.filter(({ status }) => status === 'error')) {
					expect(execution.error?.message).toContain('down');
					// What a load that failed had read came again.
					expect(versionsOf(execution).length).toBeGreaterThan(0);
					expect(versionsOf(execution).filter((version) => !arrived.has(version))).toEqual([]);
				}
				expect(failures.trigger).toBeGreaterThanOrEqual(4);
				expect(failures.webhook).toBeGreaterThanOrEqual(1);
				const withChanges = successes.filter((execution) => versionsOf(execution).length > 0);
				expect(withChanges.filter(({ mode }) => mode === 'trigger').length).toBeGreaterThan(2);
				expect(withChanges.filter(({ mode }) => mode === 'webhook').length).toBeGreaterThan(1);
			},
		);

		test('a run that was overtaken while it wrote does not bring an older version back', async () => {
			await lab.client.deactivate(started.id);
			await endedExecutions();
			const [id = ''] = [...lab.sandbox.records('company')].map((record) => String(record.id));
			// The first of the writes that follow does not begin before the other run has ended.
			await lab.sql('CREATE SEQUENCE writes');
			await lab.sql('CREATE TABLE overtaken (at timestamptz)');
			await lab.sql(
				`CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF nextval('writes') = 1 THEN WHILE NOT EXISTS (SELECT FROM overtaken) LOOP PERFORM pg_sleep(0.1); END LOOP; END IF; RETURN NULL; END $$`,
			);
			await lab.sql(
				'CREATE TRIGGER hold BEFORE INSERT ON workspace_companies EXECUTE FUNCTION hold()',
			);
			const runNow = async () => await lab.client.runWorkflow(started.id, scheduleName);

			lab.sandbox.update('company', [id]);
			const held = runNow();
			await vi.waitFor(
				async () => expect(await lab.sql('SELECT is_called FROM writes')).toEqual(['t']),
				{
					timeout: 20_000,
				},
			);
			lab.sandbox.update('company', [id]);
			const overtaking = await runNow();
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
