import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { poll } from '../changes/poll';
import { createReader } from '../changes/reader';
import { fingerprintOf, readState } from '../changes/state';
import { RECORDS_QUERY } from '../client/api';
import { ServiceFailure } from '../client/failures';
import type { RequestLimits } from '../client/request';
import { CREDENTIAL_TYPE } from '../client/transport';
import { listOf } from '../common/changes-options';
import { tellHowFar, tellNote, tellStart } from '../common/changes-texts';
import { createNodeError, InputProblem, needsDeveloperKey } from '../common/errors';
import { keepFields } from '../common/fields';
import { findOwner } from '../common/owner';
import { labelsOf, refusingNothing } from '../common/parameters';
import { openSession, type Session } from '../common/session';
import { Deadline } from './deadline';
import { PollGate } from './gate';
import { log, logLeftOut } from './log';
import { readTriggerParameters, type TriggerParameters } from './parameters';
import { properties } from './properties';

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
	let objectType: string | undefined;
	let readsPages = context.getMode() === 'manual';
	try {
		const read = (name: string, fallback?: unknown): unknown =>
			context.getNodeParameter(name, fallback);
		const { parameters: written } = context.getNode();
		const parameters = readTriggerParameters(
			refusingNothing(read, written, LABELS),
			context.getTimezone(),
		);
		({ limits, objectType } = parameters);
		const open = async (deadline: Deadline): Promise<Session> => {
			const session = await openSession(context, {
				onWait: (wait) => deadline.allowWait(wait),
			});
			({ credential } = session);
			assertVersion(session);
			return session;
		};
		if (context.getMode() === 'manual') return await showRecords(context, parameters, open);
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
			needsV2: true,
			objectType,
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
	const { logger } = context;
	const staticData = context.getWorkflowStaticData('node');
	const stored = staticData[STATE_KEY];
	const key = keyOf(context);
	if (gate.isBeingSaved(key, stored)) {
		logLeftOut(logger, 'n8n is still saving what the last poll returned');
		return null;
	}
	const deadline = deadlineOf(context, parameters, stored === undefined);
	const session = await open(deadline);
	const { baseUrl } = session.credential;
	const { objectType, field } = parameters;
	const fingerprint = fingerprintOf(baseUrl, objectType, field, listOf(parameters));
	const { id } = context.getNode().credentials?.[CREDENTIAL_TYPE] ?? {};
	const owner = await findOwner(id, session, deadline.limits());
	onRead();
	const previous = readState(stored, fingerprint, owner);
	if (previous.state === undefined) log(logger, tellStart(previous.reason, parameters));
	const reader = createReader(session.client, {
		...parameters,
		beginWith: previous.state?.limit,
		limits: () => deadline.limits(),
	});
	const { records, state, notes, reachedEnd, readUpTo } = await poll(previous.state, reader, {
		...parameters,
		fingerprint,
		owner,
		now: session.timeOfDay,
		mayContinue: () => deadline.mayContinue(),
	});
	for (const note of notes) log(logger, tellNote(note));
	if (!reachedEnd) log(logger, tellHowFar(readUpTo));
	const isSame = JSON.stringify(state) === JSON.stringify(previous.state);
	if (!isSame) staticData[STATE_KEY] = { ...state };
	if (records.length === 0) return null;
	// The stored object itself is never changed, only replaced.
	gate.noteGivenOut(key, stored);
	return [toItems(records, parameters.fields)];
}

/** What "Fetch Test Event" gives: a few of the records that the list begins with. Nothing is stored. */
async function showRecords(
	context: IPollFunctions,
	parameters: TriggerParameters,
	open: OpenSession,
): Promise<INodeExecutionData[][]> {
	const deadline = deadlineOf(context, parameters, true);
	const { client } = await open(deadline);
	const reader = createReader(client, { ...parameters, limits: () => deadline.limits() });
	const records = await reader.first(SHOWN_IN_TEST);
	if (records.length > 0) return [toItems(records.slice(0, SHOWN_IN_TEST), parameters.fields)];
	throw new InputProblem(
		`Create a record first: the workspace has no records of the type "${parameters.objectType}"`,
		'Credential and Object Type work. Create a record and fetch again. Once the workflow is active, the trigger returns new records by itself.',
	);
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
