/**
 * Plays histories of Sync, which are sequences of record changes and workflow runs. Each run reads new versions of
 * records (a version is a record with its date), loads them into a destination, and confirms them.
 */
import type { INodeExecutionData } from 'n8n-workflow';
import type { Checkpoint } from '../../../../nodes/shared/changes/checkpoint.ts';
import { readsOf } from '../../../../nodes/WorkspaceData/sync/progress.ts';
import { runSync } from '../../../../nodes/WorkspaceData/sync/get-changes.ts';
import { writtenByOther } from '../../shared/changes/history.mts';
import { Player, type Accepted } from '../../shared/changes/player.mts';
import { confirm, startExecution, TableInMemory, type FakeExecution } from './n8n.mts';
import type { History, RunStep, Step } from './steps.mts';
import { partsOf, taskOf, type Part } from './task.mts';

/** Counts of what happened in one history. */
type Outcome = typeof NOTHING;
/** `again` counts versions that were returned again, after a run whose changes were not confirmed. */
const NOTHING = { arrived: 0, again: 0, notConfirmed: 0, unstored: 0, largestCheckpoint: 0 };

/** Output of one run that the workflow has not yet loaded into its destination. */
interface Shipment {
	versions: string[];
	/** Checkpoint from which the run started. The member `checkpoint` is the checkpoint that the run returned. */
	from: string;
	checkpoint?: string;
	execution: FakeExecution;
	/** Whether the run ended early with a failure. */
	hasFailed: boolean;
}

const MAX_RUNS_TO_DRAIN = 3_000;
let histories = 0;

/** Plays a history and returns its counts. Throws an error if Sync broke one of its promises. */
export const play = async (history: History): Promise<Outcome & Accepted> =>
	await new SyncPlayer(history).play();

class SyncPlayer extends Player<Step, History, Outcome> {
	private readonly table = new TableInMemory();
	baseUrl = `http://service-${++histories}.example`;
	filters = 0;
	checkpoint = '';
	private readonly arrived = new Set<string>();
	/** Versions that were confirmed. Sync must not return them again. */
	private readonly confirmed = new Set<string>();
	private readonly waiting: Shipment[] = [];
	private readonly given = new Set<string>();
	/** Versions that were returned up to each checkpoint, by the text of the checkpoint. */
	private readonly givenUpTo = new Map<string, ReadonlySet<string>>();
	/** Whether runs have overlapped. An overlapping run can return changes that another run has confirmed. */
	private hasOverlapped = false;
	private readonly outcome = { ...NOTHING };
	/**
	 * Whether one run returns all new versions. A frozen cursor shows an old copy of the list, so the next run returns
	 * the rest.
	 */
	protected readonly givesAllAtOnce = this.history.traits.cursors !== 'frozen';

	get startDate(): number {
		return this.promised.startDate;
	}

	protected async step(step: Step): Promise<void> {
		if (step.do === 'finish') await this.finish(step.which);
		else if (step.do === 'run') await this.run(step);
		else if (step.do === 'otherKey') await this.runByOther();
		else if (step.do === 'moveAddress') this.baseUrl = `http://service-${++histories}.example`;
		else if (step.do === 'editFilter') this.filters++;
		else if (step.do === 'otherVersion') this.writeByOther();
		else this.change(step);
	}

	/** Runs Get Changes with a different credential, if there is a checkpoint. The run must fail and store nothing. */
	private async runByOther(): Promise<void> {
		if (this.startingPoint() === '') return;
		const before = this.memory();
		const { service, baseUrl, checkpoint, startDate, filters } = this;
		const place = { service, baseUrl, checkpoint, startDate, filters, owner: 'other' };
		const execution = startExecution(this.table);
		const run = runSync(taskOf(this.history, place, execution, []));
		const refused = await run.then(() => '', String);
		if (!refused.includes('belongs to') || this.memory() !== before)
			throw new Error(`Another credential is not refused: ${refused}`);
	}

	/** Rewrites every checkpoint as another version of the package could have written it. */
	private writeByOther(): void {
		const written = (text: string): string => {
			const other = JSON.stringify(writtenByOther(JSON.parse(text)));
			const given = this.givenUpTo.get(text);
			if (given !== undefined) this.givenUpTo.set(other, given);
			return other;
		};
		if (this.checkpoint !== '') this.checkpoint = written(this.checkpoint);
		for (const row of this.table.rows) if (row.committed) row.committed = written(row.committed);
	}

	protected async drain(): Promise<Outcome> {
		this.service.commitLate();
		for (const shipment of this.waiting.splice(0)) await this.arrive(shipment);
		for (let runs = 0; runs < MAX_RUNS_TO_DRAIN; runs++) {
			const before = this.memory();
			const isStart = this.startingPoint() === '';
			const count = await this.run({ do: 'run', faults: [], meanwhile: [], end: 'arrives' });
			const isSame = before === this.memory();
			// Stop after a run that returns no versions and stores nothing new. If cursors expire after each run, every
			// run stores new cursors. Then stop after any run without versions, except the first run, because later
			// runs can still return versions.
			const isAtRest = isSame || (this.history.traits.cursors === 'poll' && !isStart);
			if (count === 0 && isAtRest) {
				this.promised.assertAll((name) => this.arrived.has(name));
				return this.outcome;
			}
		}
		throw new Error('The runs never come to rest');
	}

	private memory(): string {
		return JSON.stringify([this.checkpoint, this.table.rows]);
	}

	protected async readFrom(checkpoint = ''): Promise<string[]> {
		const { service, baseUrl, filters } = this;
		const traits = { ...this.history.traits, pageSize: this.otherPageSize };
		const given = { startFrom: 'beginning', outputAs: 'batch', progress: 'given' } as const;
		const history = { ...this.history, traits, ...given, maxRecords: undefined };
		const execution = startExecution(new TableInMemory());
		const output: INodeExecutionData[] = [];
		await runSync(taskOf(history, { service, baseUrl, checkpoint, filters }, execution, output));
		// If the checkpoint contains a date, the run must continue from that date and must not start over.
		const { settled = null } = JSON.parse(checkpoint || '{}') as Partial<Checkpoint>;
		if (settled !== null && execution.hints.some((hint) => hint.includes('Starting over')))
			throw new Error(`Sync does not accept ${checkpoint}`);
		return partsOf('batch', output, execution).flatMap(({ versions }) => versions);
	}

	/** Returns the checkpoint that a run starts from, or an empty string for the first run. */
	private startingPoint(): string {
		const { checkpoint, history, table } = this;
		return history.progress === 'given' ? checkpoint : (table.rows[0]?.committed ?? '');
	}

	private async run(step: RunStep): Promise<number> {
		const { history, promised } = this;
		const from = this.startingPoint();
		const isStart = from === '';
		if (isStart) promised.begin();
		const execution = startExecution(this.table, { unstored: step.unstored });
		const output: INodeExecutionData[] = [];
		const read = async () => {
			const run = runSync(taskOf(history, this, execution, output));
			const said = await run.then(() => '', String);
			if (said.includes('could not store')) return false;
			await run;
			return true;
		};
		// If requests fail, the error can also be an HTTP status: the service has rejected a large page, and the retry
		// with a smaller page has failed.
		const hasFaults = step.faults.length > 0;
		const ended = await this.read(step, read, ({ kind }) => hasFaults && kind === 'status');
		if (ended === false) this.outcome.unstored++;
		// With On Error: Continue, Confirm Changes runs even after a failure, and confirms the changes read before it.
		const hasFailed = ended !== true;
		const parts = partsOf(history.outputAs, output, execution);
		const versions = parts.flatMap((part) => part.versions);
		const { checkpoint } = parts.at(-1) ?? {};
		const shipment = { versions, checkpoint, from, execution, hasFailed };
		if (isStart && history.startFrom === 'now' && versions.length > 0) {
			throw new Error('The first run gave records that no later one would give again');
		}
		// A checkpoint without a date cannot continue after a change of parameters, so the sync starts over.
		const { starting, settled, watermark } = JSON.parse(from || '{}') as Partial<Checkpoint>;
		const isEmpty = settled === null && watermark === null;
		if (!hasFailed && (isStart || starting || isEmpty)) promised.recordStart();
		this.rememberParts(shipment, parts);
		for (const name of versions) this.assertMayCome(name);
		if (step.end === 'dies') this.load(shipment);
		if (step.end === 'arrives') await this.arrive(shipment);
		// A workflow that keeps its own checkpoint stores the checkpoint of the first run at once. Otherwise the next
		// run would also be a first run, with a later start time.
		if (step.end === 'stays' && isStart && history.progress === 'given')
			await this.arrive(shipment);
		else if (step.end === 'stays') this.waiting.push(shipment);
		return versions.length;
	}

	private async finish(which: number): Promise<void> {
		const [shipment] = this.waiting.splice(which % Math.max(1, this.waiting.length), 1);
		if (shipment !== undefined) await this.arrive(shipment);
	}

	private load({ versions }: Shipment): void {
		this.service.given = versions;
		for (const name of versions) this.arrived.add(name);
		this.outcome.arrived += versions.length;
	}

	private async arrive(shipment: Shipment): Promise<void> {
		this.load(shipment);
		const { from, checkpoint, execution, versions, hasFailed } = shipment;
		const note = (): void => versions.forEach((name) => this.confirmed.add(name));
		// A correct workflow does not overwrite a newer checkpoint with that of a slower run.
		if (this.history.progress === 'given' && checkpoint !== undefined && from === this.checkpoint) {
			this.checkpoint = checkpoint;
			note();
		}
		// A failed run returns an error item, so Confirm Changes runs even if the run returned no versions.
		if (this.history.progress !== 'confirmed' || (versions.length === 0 && !hasFailed)) return;
		const before = this.memory();
		const isFirst = from === this.startingPoint();
		await confirm(execution);
		if (this.memory() !== before) note();
		else if (!hasFailed && isFirst) throw new Error('Who ended first has not confirmed');
		else if (!hasFailed) this.outcome.notConfirmed++;
	}

	/**
	 * Remembers every checkpoint that this run returned or stored, with the versions that were returned up to this
	 * checkpoint.
	 */
	private rememberParts({ from, execution, hasFailed }: Shipment, parts: readonly Part[]): void {
		const given = new Set(this.givenUpTo.get(from) ?? this.promised.backlog);
		const [row] = this.table.rows;
		const reads = Object.values(readsOf(execution.context));
		const kept = reads.find(({ toConfirm }) => toConfirm)?.toConfirm?.reached ?? row?.committed;
		const ofRow = hasFailed ? [] : [{ versions: [], checkpoint: kept }];
		for (const { versions, checkpoint } of [...parts, ...ofRow]) {
			for (const name of versions) given.add(name);
			if (!checkpoint) continue;
			this.outcome.largestCheckpoint = Math.max(this.outcome.largestCheckpoint, checkpoint.length);
			this.givenUpTo.set(checkpoint, new Set(given));
			this.remember(checkpoint, given);
		}
	}

	private assertMayCome(name: string): void {
		const isConfirmed = this.confirmed.has(name);
		if (this.given.has(name) && !isConfirmed) this.outcome.again++;
		this.given.add(name);
		if (this.promised.backlog.has(name)) {
			throw new Error(`${name} existed before the start and came`);
		}
		if (isConfirmed && this.waiting.length === 0 && !this.hasOverlapped) {
			throw new Error(`${name} was confirmed and came again`);
		}
		if (this.waiting.length > 0) this.hasOverlapped = true;
	}
}
