import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { poll } from '../changes/poll';
import { createReader } from '../changes/reader';
import { openState } from '../changes/state';
import { RECORDS_QUERY } from '../client/api';
import { ServiceFailure } from '../client/failures';
import { tellHowFar, tellNote, tellStart, type Told } from '../common/changes-texts';
import { createNodeError, InputProblem, needsDeveloperKey } from '../common/errors';
import { keepFields } from '../common/fields';
import { findOwner } from '../common/owner';
import { labelsOf, refusingNothing } from '../common/parameters';
import { openSession, type Session } from '../common/session';
import { Deadline } from './deadline';
import { PollGate } from './gate';
import { readTriggerParameters, type TriggerParameters } from './parameters';
import { properties } from './properties';

const NAME = 'Workspace Data Trigger';
/** The most records that a manual test shows. */
const SHOWN_IN_TEST = 10;
/** Where the state lies in the node's static data. */
const STATE_KEY = 'workspaceData';

const LABELS = labelsOf(properties);

const gate = new PollGate(() => performance.now());

/** What is known of a poll by the time that it fails. */
interface Known {
	parameters?: TriggerParameters;
	credential?: Session['credential'];
	/** Whether it has come to reading pages. */
	readsPages: boolean;
}

/**
 * One poll as n8n asks for it: a manual test shows records and stores nothing; otherwise the new record versions
 * are given out and the state that goes with them is stored, in one assignment, after all else has succeeded.
 *
 * @returns null when there is nothing new
 * @throws NodeApiError or NodeOperationError
 */
export async function runPoll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isTest = context.getMode() === 'manual';
	const known: Known = { readsPages: isTest };
	try {
		const read = (name: string, fallback?: unknown): unknown =>
			context.getNodeParameter(name, fallback);
		const get = refusingNothing(read, context.getNode().parameters, LABELS);
		const parameters = readTriggerParameters(get, context.getTimezone());
		known.parameters = parameters;
		if (isTest) return await showRecords(context, parameters, known);
		const items = await gate.pass(
			keyOf(context),
			async () => await pollForChanges(context, parameters, known),
		);
		if (items === undefined) logSkipped(context, 'the last poll is still under way');
		return items ?? null;
	} catch (error) {
		const { parameters, credential, readsPages } = known;
		throw createNodeError(error, {
			node: context.getNode(),
			apiVersion: credential?.apiVersion,
			secrets: credential?.secrets ?? [],
			permission: RECORDS_QUERY.permission,
			needsV2: true,
			objectType: parameters?.objectType,
			hasRequestOptions: parameters !== undefined && isAtLimit(error, parameters),
			readsPages,
		});
	}
}

async function pollForChanges(
	context: IPollFunctions,
	parameters: TriggerParameters,
	known: Known,
): Promise<INodeExecutionData[][] | null> {
	const staticData = context.getWorkflowStaticData('node');
	const stored = staticData[STATE_KEY];
	const key = keyOf(context);
	if (gate.isBeingSaved(key, stored)) {
		logSkipped(context, 'n8n is still saving what the last poll returned');
		return null;
	}
	const { session, deadline } = await open(context, parameters, known, stored === undefined);
	const { baseUrl } = session.credential;
	const owner = await findOwner(context, session, deadline.limits());
	known.readsPages = true;
	const { state: previous, reason } = openState(stored, { ...parameters, baseUrl, owner });
	if (reason !== undefined) log(context, tellStart(reason, parameters));
	const reader = createReader(session.client, {
		...parameters,
		beginWith: previous.limit,
		limits: () => deadline.limits(),
	});
	const { records, state, notes, reachedEnd, readUpTo } = await poll(previous, reader, {
		...parameters,
		now: session.timeOfDay,
		room: () => parameters.maxRecordsPerPoll,
		mayContinue: () => deadline.mayContinue(),
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
async function showRecords(
	context: IPollFunctions,
	parameters: TriggerParameters,
	known: Known,
): Promise<INodeExecutionData[][]> {
	const { session, deadline } = await open(context, parameters, known, true);
	const limits = { limits: () => deadline.limits() };
	const reader = createReader(session.client, { ...parameters, ...limits });
	const records = await reader.first(SHOWN_IN_TEST);
	if (records.length > 0) return [toItems(records.slice(0, SHOWN_IN_TEST), parameters)];
	throw new InputProblem(
		`Create a record first: the workspace has no records of the type "${parameters.objectType}"`,
		'Credential and Object Type work. Create a record and fetch again. Once the workflow is active, the trigger returns new records by itself.',
	);
}

async function open(
	context: IPollFunctions,
	{ limits }: TriggerParameters,
	known: Known,
	isFirst: boolean,
): Promise<{ session: Session; deadline: Deadline }> {
	// Older versions of n8n do not tell.
	const budgetMs = (context as Partial<IPollFunctions>).getPollBudgetMs?.();
	const deadline = new Deadline(() => performance.now(), budgetMs, isFirst, limits);
	const session = await openSession(context, { onWait: (wait) => deadline.allowWait(wait) });
	known.credential = session.credential;
	if (session.credential.apiVersion !== 'v2') throw needsDeveloperKey(NAME);
	return { session, deadline };
}

/** Whether it is the user's own limit that a request has reached, and not the time of a poll. */
function isAtLimit(error: unknown, { limits }: TriggerParameters): boolean {
	if (!(error instanceof ServiceFailure)) return false;
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
	return records.map((record) => {
		const kept = fields === undefined ? record : keepFields(record, fields);
		return { json: kept as INodeExecutionData['json'] };
	});
}

function log({ logger }: IPollFunctions, { level, message }: Told): void {
	logger[level](`${NAME}: ${message}`);
}

/** Says why a poll does nothing; the next one does its work. */
function logSkipped(context: IPollFunctions, reason: string): void {
	log(context, { level: 'info', message: `${reason}, so this poll is skipped` });
}
