import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { poll } from '../changes/poll';
import { createReader } from '../changes/reader';
import { openState } from '../changes/state';
import { tellHowFar, tellNote, tellStart, type Told } from '../changes/texts';
import { RECORDS_QUERY } from '../client/api';
import { ServiceFailure } from '../client/failures';
import type { RequestLimits } from '../client/request';
import { createNodeError, InputProblem, needsDeveloperKey } from '../common/errors';
import { keepFields } from '../common/fields';
import { findOwner } from '../common/owner';
import { labelsOf, refusingNothing } from '../common/parameters';
import { openSession, type Session } from '../common/session';
import { startDeadline, type Deadline } from './deadline';
import { PollGate } from './gate';
import { properties, readTriggerParameters, type TriggerParameters } from './parameters';

const NAME = 'Workspace Data Trigger';
/** The most records that a manual test shows. */
const SHOWN_IN_TEST = 10;
/** Where the state lies in the node's static data. */
const STATE_KEY = 'workspaceData';

const LABELS = labelsOf(properties);

const now = (): number => performance.now();
const gate = new PollGate(now);

/** A poll that is under way. */
interface Poll {
	context: IPollFunctions;
	parameters: TriggerParameters;
	session: Session;
	deadline: Deadline;
}

/**
 * One poll as n8n asks for it: a manual test shows records and stores nothing; otherwise the new record versions
 * are given out and the state that goes with them is stored, in one assignment, after all else has succeeded.
 *
 * @returns null when there is nothing new
 * @throws NodeApiError or NodeOperationError
 */
export async function runPoll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	let known: Partial<Poll> = {};
	try {
		const read = (name: string, fallback?: unknown): unknown =>
			context.getNodeParameter(name, fallback);
		const get = refusingNothing(read, context.getNode().parameters, LABELS);
		const parameters = readTriggerParameters(get, context.getTimezone());
		known = { parameters };
		const open = async (isFirst: boolean): Promise<Poll> => {
			// Older versions of n8n do not tell.
			const budgetMs = (context as Partial<IPollFunctions>).getPollBudgetMs?.();
			const deadline = startDeadline(now, isFirst, parameters.limits, budgetMs);
			const session = await openSession(context, { onWait: deadline.allowWait });
			known = { parameters, session };
			if (session.credential.apiVersion !== 'v2') throw needsDeveloperKey(NAME);
			return { context, parameters, session, deadline };
		};
		if (context.getMode() === 'manual') return await showRecords(await open(true));
		const key = keyOf(context);
		const items = await gate.pass(key, async () => await pollForChanges(context, key, open));
		if (items === undefined) logSkipped(context, 'the last poll is still under way');
		return items ?? null;
	} catch (error) {
		const { parameters, session } = known;
		throw createNodeError(error, {
			node: context.getNode(),
			apiVersion: session?.credential.apiVersion,
			secrets: session?.credential.secrets ?? [],
			permission: RECORDS_QUERY.permission,
			needsV2: true,
			objectType: parameters?.objectType,
			hasRequestOptions: isAtLimit(error, parameters?.limits),
		});
	}
}

async function pollForChanges(
	context: IPollFunctions,
	key: string,
	open: (isFirst: boolean) => Promise<Poll>,
): Promise<INodeExecutionData[][] | null> {
	const staticData = context.getWorkflowStaticData('node');
	const stored = staticData[STATE_KEY];
	if (gate.isBeingSaved(key, stored)) {
		logSkipped(context, 'n8n is still saving what the last poll returned');
		return null;
	}
	const { session, deadline, parameters } = await open(stored === undefined);
	const { baseUrl } = session.credential;
	const owner = await findOwner(context, session, deadline.limits());
	const { state: previous, reason } = openState(stored, { ...parameters, baseUrl, owner });
	if (reason !== undefined) log(context, tellStart(reason, parameters));
	const reader = createReader(session.client, {
		...parameters,
		beginWith: previous.limit,
		limits: deadline.limits,
	});
	const { records, state, notes, reachedEnd, readUpTo } = await poll(previous, reader, {
		...parameters,
		now: session.timeOfDay,
		room: () => parameters.maxRecordsPerPoll,
		mayContinue: deadline.mayContinue,
	});
	for (const note of notes) log(context, tellNote(note));
	if (!reachedEnd) log(context, tellHowFar(readUpTo));
	// The stored object itself is never changed, only replaced.
	if (JSON.stringify(state) !== JSON.stringify(previous)) staticData[STATE_KEY] = { ...state };
	if (records.length === 0) return null;
	gate.noteGivenOut(key, stored);
	return [toItems(records, parameters)];
}

/** What "Fetch Test Event" gives: a few of the records that the list begins with. Nothing is stored. */
async function showRecords({
	parameters,
	session,
	deadline,
}: Poll): Promise<INodeExecutionData[][]> {
	const reader = createReader(session.client, {
		...parameters,
		pageSize: SHOWN_IN_TEST,
		limits: deadline.limits,
	});
	const { value: page } = await reader.pages(undefined).next();
	const records = page?.envelope.data.items ?? [];
	if (records.length > 0) return [toItems(records.slice(0, SHOWN_IN_TEST), parameters)];
	throw new InputProblem(
		`Create a record first: the workspace has no records of the type "${parameters.objectType}"`,
		'Credential and Object Type work. Create a record and fetch again. Once the workflow is active, the trigger returns new records by itself.',
	);
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

function toItems(
	records: ReadonlyArray<Record<string, unknown>>,
	{ fields }: TriggerParameters,
): INodeExecutionData[] {
	return records.map((record) => ({
		json: keepFields(record, fields) as INodeExecutionData['json'],
	}));
}

function log({ logger }: IPollFunctions, { level, message }: Told): void {
	logger[level](`${NAME}: ${message}`);
}

/** The next poll does its work. */
function logSkipped(context: IPollFunctions, reason: string): void {
	log(context, { level: 'info', message: `${reason}, so this poll is skipped` });
}
