import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { RECORDS_QUERY } from '../client/api';
import { ServiceFailure } from '../client/failures';
import type { RequestLimits } from '../client/request';
import { canonicalJson } from '../common/canonical-json';
import { createNodeError, InputProblem, needsDeveloperKey } from '../common/errors';
import { keepFields } from '../common/fields';
import { labelsOf, withoutNothing } from '../common/parameters';
import { openSession, type Session } from '../common/session';
import { readNewest } from '../changes/begin';
import { Deadline } from './deadline';
import { PollGate } from './gate';
import { FirstReading, sayProgress, shownProgress } from './progress';
import { logLeftOut, logNotes, logProgress, logStartOver } from './log';
import { readTriggerParameters, type TriggerParameters } from './parameters';
import { properties } from './properties';
import { askOwner } from '../changes/owner';
import { CREDENTIAL_TYPE } from '../client/transport';
import { poll } from '../changes/poll';
import { createReader } from '../changes/reader';
import type { PollSettings } from '../changes/settings';
import { fingerprintOf, readState } from '../changes/state';

/** Versions kept for reading again: bounds the stored state (22 KB) and the requests of a quiet poll. */
const WINDOW_RECORDS = 2_000;
/** The most records that a manual test shows. */
const SHOWN_IN_TEST = 10;
/** Where the state lies in the node's static data. */
const STATE_KEY = 'workspaceData';

const LABELS = labelsOf(properties);

const gate = new PollGate(() => performance.now());

/**
 * One poll as n8n asks for it: a manual test shows records and stores nothing; otherwise the new record versions
 * are given out and the state that goes with them is stored, in one assignment, after all else has succeeded.
 *
 * @returns null when there is nothing new
 * @throws NodeApiError or NodeOperationError
 */
export async function runPoll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	let credential: Session['credential'] | undefined;
	let limits: RequestLimits | undefined;
	let readsPages = context.getMode() === 'manual';
	try {
		const read = (name: string, fallback?: unknown): unknown =>
			context.getNodeParameter(name, fallback);
		const { parameters: written } = context.getNode();
		const parameters = readTriggerParameters(withoutNothing(read, written, LABELS));
		({ limits } = parameters);
		const open = async (deadline: Deadline): Promise<Session> => {
			const session = await openSession(context, {
				onWait: (wait) => deadline.allowWait(wait),
			});
			({ credential } = session);
			assertVersion(session);
			return session;
		};
		if (context.getMode() === 'manual') return await showTest(context, parameters, open);
		const items = await gate.pass(
			keyOf(context),
			async () =>
				await pollForChanges(context, parameters, open, () => {
					readsPages = true;
				}),
		);
		if (items !== undefined) return items;
		logLeftOut(context.logger, 'the last poll is still under way');
		return null;
	} catch (error) {
		throw createNodeError(error, {
			node: context.getNode(),
			apiVersion: credential?.apiVersion,
			secrets: credential?.secrets ?? [],
			permission: RECORDS_QUERY.permission,
			hasRequestOptions: isAtLimit(error, limits),
			readsPages,
		});
	}
}

type OpenSession = (deadline: Deadline) => Promise<Session>;

async function pollForChanges(
	context: IPollFunctions,
	parameters: TriggerParameters,
	open: OpenSession,
	onRead: () => void,
): Promise<INodeExecutionData[][] | null> {
	const staticData = context.getWorkflowStaticData('node');
	const stored = staticData[STATE_KEY];
	const key = keyOf(context);
	if (gate.isBeingSaved(key, stored)) {
		logLeftOut(context.logger, 'n8n is still saving what the last poll gave out');
		return null;
	}
	const deadline = deadlineOf(context, parameters, stored === undefined);
	const session = await open(deadline);
	const { client, credential } = session;
	const fingerprint = fingerprintFor(credential, parameters);
	const { id } = context.getNode().credentials?.[CREDENTIAL_TYPE] ?? {};
	const owner = await askOwner(id, session, deadline.limits());
	onRead();
	const previous = readState(stored, fingerprint, owner);
	if (previous.state === undefined) logStartOver(context.logger, previous.reason, parameters);
	const settings: PollSettings = {
		...parameters,
		fingerprint,
		owner,
		windowRecords: WINDOW_RECORDS,
		mayContinue: () => deadline.mayContinue(),
	};
	const reader = createReader(client, {
		...parameters,
		beginWith: previous.state?.limit,
		// What one poll delivers needs no more than that from the list.
		boundary: parameters.pageSize === undefined ? parameters.maxRecordsPerPoll : undefined,
		limits: () => deadline.limits(),
	});
	const firstReading = new FirstReading(key, staticData, previous.state === undefined);
	const counted = firstReading.count(reader);
	const { records, state, notes } = await poll(previous.state, counted, settings);
	logNotes(context.logger, notes);
	const progress = firstReading.save(staticData);
	if (progress !== undefined) logProgress(context.logger, sayProgress(progress));
	const isSame = JSON.stringify(state) === JSON.stringify(previous.state);
	if (!isSame) staticData[STATE_KEY] = { ...state };
	if (records.length === 0) return null;
	// The stored object itself is never changed, only replaced.
	gate.noteGivenOut(key, stored);
	return [toItems(records, parameters.fields)];
}

/** What "Fetch Test Event" gives. Nothing is stored. */
async function showTest(
	context: IPollFunctions,
	parameters: TriggerParameters,
	open: OpenSession,
): Promise<INodeExecutionData[][]> {
	if (parameters.testShows === 'records') return await showRecords(context, parameters, open);
	const staticData = context.getWorkflowStaticData('node');
	const json = shownProgress(keyOf(context), staticData, staticData[STATE_KEY] !== undefined);
	return [[{ json }]];
}

/** A few of the newest records, by three small requests; the oldest where the service gives no numbered pages. */
async function showRecords(
	context: IPollFunctions,
	parameters: TriggerParameters,
	open: OpenSession,
): Promise<INodeExecutionData[][]> {
	const deadline = deadlineOf(context, parameters, true);
	const { client } = await open(deadline);
	const reader = createReader(client, { ...parameters, limits: () => deadline.limits() });
	const first = await reader.first(SHOWN_IN_TEST);
	const oldest = first.data.items;
	if (oldest.length === 0) {
		throw new InputProblem(
			`There are no records of the type "${parameters.objectType}" to show`,
			'The credential and the Object Type work, but the workspace holds no such record yet. Create one and fetch again; once the workflow is active, the trigger delivers it by itself.',
		);
	}
	const newest = await readNewest(reader, first, SHOWN_IN_TEST);
	return [toItems(newest.records.length > 0 ? newest.records : oldest, parameters.fields)];
}

function assertVersion({ credential }: Session): void {
	if (credential.apiVersion === 'v2') return;
	throw needsDeveloperKey('Workspace Data Trigger');
}

function deadlineOf(
	context: IPollFunctions,
	{ limits }: TriggerParameters,
	isFirst: boolean,
): Deadline {
	return new Deadline(() => performance.now(), budgetOf(context), isFirst, limits);
}

/** Other further parameters give another list, and another text in Start Over is meant to. */
function fingerprintFor(
	{ baseUrl }: Session['credential'],
	{ objectType, field, additional, startOver }: TriggerParameters,
): string {
	const more =
		additional === undefined && startOver === undefined ? [] : [{ additional, startOver }];
	return fingerprintOf(baseUrl, objectType, field, more.map(canonicalJson));
}

/** Whether it is the user's own limit that a request has reached, and not the time of a poll. */
function isAtLimit(error: unknown, limits: RequestLimits | undefined): boolean {
	if (!(error instanceof ServiceFailure) || limits === undefined) return false;
	const { timeoutMs, maxWaitMs } = error.facts;
	return timeoutMs === limits.timeoutMs || maxWaitMs === limits.maxWaitMs;
}

/** The same in every poll of a trigger, and in no other. */
function keyOf(context: IPollFunctions): string {
	return `${context.getWorkflow().id ?? ''}:${context.getNode().id}`;
}

/** Older versions of n8n do not tell. */
function budgetOf(context: IPollFunctions): number | undefined {
	const { getPollBudgetMs } = context as Partial<IPollFunctions>;
	return typeof getPollBudgetMs === 'function' ? getPollBudgetMs.call(context) : undefined;
}

function toItems(
	records: ReadonlyArray<Record<string, unknown>>,
	fields: readonly string[] | undefined,
): INodeExecutionData[] {
	return records.map((record) => ({
		json: (fields === undefined
			? record
			: keepFields(record, fields)) as INodeExecutionData['json'],
	}));
}
