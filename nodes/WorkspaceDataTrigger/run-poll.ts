import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IPollFunctions,
} from 'n8n-workflow';

import { poll } from '../shared/changes/poll';
import { createReader } from '../shared/changes/reader';
import type { Notice } from '../shared/changes/notices';
import { RECORDS_QUERY, type RequestLimits } from '../shared/client/api';
import { ServiceFailure } from '../shared/client/failures';
import { failureClassOf } from '../shared/client/failure-classes';
import { redactQuoted } from '../shared/client/secrets';
import { createNodeError, InputProblem, endpointFor } from '../shared/errors/node-errors';
import { aboutLongNumbers, pickFields } from '../shared/panel/record-fields';
import { refusingMistakes } from '../shared/panel/raw-parameters';
import { shown } from '../shared/panel/read-parameters';
import { openCheckpoint, refuseSameId } from '../shared/session/checkpoint';
import { contextOfQuery, now, openSession, type Session } from '../shared/session/session';
import { properties, readTriggerParameters, type TriggerParameters } from './trigger-properties';
import { loadCheckpoint, saveCheckpoint } from './stored-checkpoints';

const NAME = 'Workspace Data Trigger';
const SHOWN_IN_TEST = 10;

const IN_PART = 'This poll read part of the list. The next poll continues.';

const SKIPPED =
	'The last poll, or saving its records, is not finished yet, so this poll is skipped.';

const QUOTA_EXCEEDED =
	"This poll read nothing new, because it had to wait for 'Requests per Minute'. The next poll continues. Raise 'Requests per Minute', or poll less often.";

const NO_ANSWER =
	'The service does not respond at the moment. The trigger is active anyway, and its next poll continues.';

/** Time limit of a poll in ms, for older versions of n8n that do not report a time limit. */
const DEFAULT_BUDGET_MS = 5 * 60_000;
/** Time limit of a poll in ms if a person waits for the poll, for example while publishing a workflow. */
const AWAITED_BUDGET_MS = 30_000;
const MIN_TIMEOUT_MS = 1_000;
/** Maximum time in ms that n8n needs to save the result of a poll. */
const SAVING_MS = 20_000;
/**
 * `underWay` holds the keys of triggers that are being polled now. `returned` holds, for each trigger, the checkpoint
 * with which its last poll with records began, and the time when that poll ended.
 */
const underWay = new Set<string>();
const returned = new Map<string, { from: string; atMs: number }>();
/** Contexts that n8n has already passed to a poll. */
const usedContexts = new WeakSet<IPollFunctions>();

/** A running poll, with the data that its error messages need. */
interface Poll {
	context: IPollFunctions;
	/** True if a person waits for the poll, or if n8n waits for it while publishing the workflow. */
	isAwaited: boolean;
	parameters: TriggerParameters;
	session?: Session;
}

type Evaluating = IPollFunctions & Pick<IExecuteFunctions, 'evaluateExpression'>;
type FoundRecord = Record<string, unknown>;

const isTest = (context: IPollFunctions): boolean => context.getMode() === 'manual';

/** Runs one poll. Returns changed records (samples in a test), or null. Throws NodeApiError or NodeOperationError. */
export async function runPoll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	let begun: Poll | undefined;
	try {
		const read = (name: string, fallback?: unknown) => context.getNodeParameter(name, fallback);
		// Cast the context below, because n8n's types do not declare `evaluateExpression` for polls.
		const { parameters: written } = context.getNode();
		const evaluate = (expression: string) =>
			(context as Evaluating).evaluateExpression(expression, 0);
		const get = refusingMistakes(read, written, properties, evaluate);
		const parameters = readTriggerParameters(get, context.getTimezone());
		begun = { context, parameters, isAwaited: isPollAwaited(context) };
		refuseSameId(context);
		const found = await (isTest(context) ? findSome(begun) : findUnlessBusy(begun));
		const kept = found.map((record) => pickFields(record, parameters.fields) as IDataObject);
		warnOfLongNumbers(begun, kept);
		return kept.length === 0 ? null : [kept.map((json) => ({ json }))];
	} catch (error) {
		const message = begun && whyNoError(begun, error);
		if (message !== undefined) {
			log(context, { level: 'warn', message });
			return null;
		}
		const { parameters, session } = begun ?? {};
		throw createNodeError(error, {
			...(await contextOfQuery(context, session)),
			objectType: parameters?.objectType,
			isFollowed: true,
			hasRequestOptions: isAtLimit(error, parameters?.limits),
		});
	}
}

/** Returns the changed records, or none while another poll of this trigger runs or n8n saves the last result. */
async function findUnlessBusy(begun: Poll): Promise<FoundRecord[]> {
	const { context } = begun;
	const { id, name } = context.getNode();
	const key = JSON.stringify([context.getWorkflow().id, id, name]);
	const from = JSON.stringify([loadCheckpoint(context)]);
	// n8n can start a poll during another poll, or before it has saved the result of the last poll.
	const last = returned.get(key);
	const isSaving = last?.from === from && now() - last.atMs < SAVING_MS;
	if (isSaving || underWay.has(key)) {
		log(context, { level: 'info', message: SKIPPED });
		return [];
	}
	underWay.add(key);
	try {
		const found = await findChanges(begun);
		if (found.length > 0) returned.set(key, { from, atMs: now() });
		return found;
	} finally {
		underWay.delete(key);
	}
}

async function findChanges(begun: Poll): Promise<FoundRecord[]> {
	const { context, parameters } = begun;
	const { session, endpoint, deadline } = await open(begun);
	const followed = {
		...parameters,
		owner: session.credentialScopeById,
		access: session.access,
		now: session.timeOfDay(),
	};
	const { checkpoint: previous, notices: begin } = openCheckpoint(
		loadCheckpoint(context),
		followed,
		'trigger',
	);
	for (const { level, message } of begin)
		log(context, { level, message: redactQuoted(message, session.credential.secrets) });
	const reader = createReader(session.client, { ...parameters, endpoint, limits: deadline.limits });
	const found = await poll(previous, reader, {
		...parameters,
		now: session.timeOfDay,
		maxRecords: parameters.maxRecordsPerPoll,
		hasTimeLeft: () => deadline.hasTimeLeft(session.quotaWaitMs(parameters.limits)),
	});
	const { records, checkpoint, notices, reachedEnd } = found;
	for (const note of notices) log(context, note);
	if (!reachedEnd) log(context, { level: 'info', message: IN_PART });
	// Save the checkpoint last, after everything else has succeeded.
	saveCheckpoint(context, checkpoint);
	return records;
}

/** Warns if records contain integers above 2^53, because n8n items cannot hold all digits of such integers. */
function warnOfLongNumbers({ context, session }: Poll, kept: readonly IDataObject[]): void {
	const message = aboutLongNumbers(kept, 'use the resource Sync with NDJSON files');
	if (message === '') return;
	log(context, {
		level: 'warn',
		message: redactQuoted(message, session?.credential.secrets ?? []),
	});
}

/** Returns the first records of the list as samples for Fetch Test Event. Stores no checkpoint. */
async function findSome(begun: Poll): Promise<FoundRecord[]> {
	const { parameters } = begun;
	const { session, endpoint, deadline } = await open(begun);
	const ofTest = { endpoint, limit: SHOWN_IN_TEST, limits: deadline.limits };
	const reader = createReader(session.client, { ...parameters, ...ofTest });
	// Read on until a page has records, because a service may return empty pages first.
	for await (const { envelope } of reader.pages(undefined)) {
		const { items } = envelope.data;
		if (items.length > 0) return items;
		if (!deadline.hasTimeLeft()) throw new ServiceFailure('emptyPages');
	}
	throw new InputProblem(
		`Create a record first: the workspace has no records of the type ${shown(parameters.objectType)}`,
		"The credential and 'Object Type' are right. Create a record and fetch again. Once the workflow is active, the trigger returns new records by itself.",
	);
}

/** Starts the time limit of the poll, and opens the session (credential and client). */
async function open(begun: Poll) {
	const { context, parameters } = begun;
	const deadline = startDeadline(now, begun.isAwaited, parameters.limits, budgetOf(context));
	const session = await openSession(context);
	begun.session = session;
	const { apiVersion } = session.credential;
	const endpoint = endpointFor(NAME, RECORDS_QUERY.endpoints, apiVersion);
	return { session, endpoint, deadline };
}

/** Returns functions that keep a poll within its time limit: `budgetMs`, or less if a person or n8n waits for it. */
export function startDeadline(
	now: () => number,
	isAwaited: boolean,
	userLimits: RequestLimits,
	budgetMs: number,
) {
	const budget = isAwaited ? Math.min(budgetMs, AWAITED_BUDGET_MS) : budgetMs;
	const startsNothingAfter = now() + budget * 0.6;
	const end = now() + budget * 0.9;
	return {
		/** Checks whether the poll has time for another request, which has to wait for `afterMs` first. */
		hasTimeLeft: (afterMs = 0): boolean => now() + afterMs < startsNothingAfter,
		/** Returns the limits of the next request. The timeout is at most half of the time left, so a retry fits in. */
		limits: (): RequestLimits => {
			const leftMs = end - now();
			const half = Math.max(MIN_TIMEOUT_MS, Math.floor(leftMs / 2));
			const timeoutMs = Math.min(userLimits.timeoutMs, half);
			const canWaitMs = Math.max(0, Math.floor(leftMs - timeoutMs));
			const maxWaitMs = Math.min(userLimits.maxWaitMs, canWaitMs);
			return { ...userLimits, maxWaitMs, timeoutMs, endByMs: end };
		},
	};
}

/**
 * Checks whether n8n or a person waits for this poll. n8n polls once when it starts or publishes a workflow, and passes
 * the same context to later polls. With "durable cursors", later polls get new contexts too, but have a shorter time
 * limit, by which they are recognized.
 */
function isPollAwaited(context: IPollFunctions): boolean {
	const isFirst = !usedContexts.has(context);
	usedContexts.add(context);
	return isTest(context) || (isFirst && budgetOf(context) >= DEFAULT_BUDGET_MS);
}

function budgetOf(context: Partial<IPollFunctions>): number {
	return context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
}

/** Returns the message to log instead of an error, if the next poll can continue without any action of the user. */
function whyNoError({ context, isAwaited }: Poll, error: unknown): string | undefined {
	if (!(error instanceof ServiceFailure) || isTest(context)) return undefined;
	if (error.kind === 'quotaExceeded') return QUOTA_EXCEEDED;
	// While n8n publishes the workflow, an error would deactivate the trigger for good, so log a temporary failure.
	const isForATime =
		['status', 'notSent', 'connectionLost', 'timeout'].includes(error.kind) &&
		failureClassOf(error).retry !== 'never';
	return isAwaited && isForATime && loadCheckpoint(context) !== undefined ? NO_ANSWER : undefined;
}

/** Checks whether a request has reached a limit that the user has set, and not the time limit of the poll. */
function isAtLimit(error: unknown, limits: RequestLimits | undefined): boolean {
	if (!(error instanceof ServiceFailure) || limits === undefined) return false;
	const { timeoutMs, maxWaitMs } = error.facts;
	return timeoutMs === undefined ? maxWaitMs === limits.maxWaitMs : timeoutMs === limits.timeoutMs;
}

function log({ logger }: IPollFunctions, { level, message }: Notice): void {
	logger[level](`${NAME}: ${message}`);
}
