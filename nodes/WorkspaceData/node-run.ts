import {
	sleep,
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { Notice } from '../shared/changes/notices';
import type { Wait } from '../shared/client/api';
import { readCredential } from '../shared/client/credential';
import { isObject } from '../shared/client/json';
import { isRateLimit } from '../shared/client/failures';
import { RateLimiter } from '../shared/client/rate-limiter';
import { redactQuoted } from '../shared/client/secrets';
import { MissingFields } from '../shared/panel/record-fields';
import { openSession, type Session } from '../shared/session/session';
import { CREDENTIAL_TYPE } from '../shared/session/transport';
import type { Operation } from './operation-row';
import { PaidCalls } from './paid-calls';

/** Minimum wait that the user sees as a hint, in ms. A run shows at most one such hint. The log lists all waits. */
const LONG_WAIT_MS = 5_000;

/**
 * One attempt of a node run. Holds the state that all input items share, and the state that earlier attempts of Retry
 * On Fail have left.
 */
export class NodeRun {
	readonly context: IExecuteFunctions;
	readonly operation: Operation;
	readonly items: INodeExecutionData[];
	/** Parameters with unresolved expressions. Stored, because getNode() copies the whole node on each call. */
	readonly rawParameters: Readonly<Record<string, unknown>>;
	/** File names that the output already contains, so that each new file gets a unique name. */
	readonly fileNames = new Set<string>();
	/** Collects the fields in the option Fields or Output Fields that no record of any input item has. */
	readonly missing = new MissingFields();
	/** Aborted if the execution was stopped or a failure ended the node, which then can return no results. */
	readonly signal: AbortSignal;
	/** Secrets in the credentials of all input items. They are removed from errors, hints and log lines. */
	readonly secrets: string[];
	/** Keys of the syncs that this or an earlier attempt has read. A sync is a saved progress of Get Changes. */
	readonly syncs: Set<string>;
	/** Calls of all attempts, so that Retry On Fail repeats no call that may be billed or change data. */
	readonly paidCalls: PaidCalls;
	/** Rate limiters of the credentials. The key is a credential's resolved values as JSON. */
	private readonly rateLimiters: Map<string, RateLimiter>;
	private readonly endController = new AbortController();
	private waitHint = '';
	/** Hint to show after all other hints. An empty text means no hint. */
	private lastHint = '';
	private readonly events = new Set<string>();
	private readonly sessions = new Map<string, Promise<Session>>();
	/** Session of all input items. Undefined if the items may use different credential values. */
	private sharedSession: Promise<Session> | undefined;
	private itemSessions: Promise<Array<Promise<Session>>> | undefined;

	/** @param previous the attempt before this attempt, if n8n's Retry On Fail has started the node again */
	constructor(context: IExecuteFunctions, operation: Operation, previous?: NodeRun) {
		this.context = context;
		this.operation = operation;
		this.items = context.getInputData();
		this.rawParameters = context.getNode().parameters;
		this.secrets = previous?.secrets ?? [];
		this.syncs = previous?.syncs ?? new Set();
		const known = operation.repeat === 'safe' ? undefined : previous?.paidCalls;
		this.paidCalls = known ?? new PaidCalls();
		this.rateLimiters = previous?.rateLimiters ?? new Map<string, RateLimiter>();
		// Forget the failures of the earlier attempt, so that the requests of this attempt may be sent.
		for (const rateLimiter of this.rateLimiters.values()) rateLimiter.beginAttempt();
		// Old versions of n8n have no cancel signal.
		const signals = [context.getExecutionCancelSignal?.(), this.endController.signal];
		this.signal = AbortSignal.any(signals.filter((signal) => signal !== undefined));
	}

	/** Cancels all waiting requests. Requests in flight go on, because they may be billed. */
	end(): void {
		this.endController.abort();
	}

	/** Checks whether `end()` was called, because a failure ended the node. */
	get hasEnded(): boolean {
		return this.endController.signal.aborted;
	}

	/** Returns true on the first call with this event in an attempt, and false on later calls. */
	isFirst(event: string): boolean {
		const { size } = this.events;
		return this.events.add(event).size > size;
	}

	/** Shows a hint under the output. Does nothing in old versions of n8n, which have no hints. */
	hint(message: string): void {
		const redacted = redactQuoted(message, this.secrets);
		this.context.addExecutionHints?.({ message: redacted, location: 'outputPane' });
	}

	/** Shows a hint once per attempt, however many input items cause it. */
	hintOnce(topic: string, message: string): void {
		if (this.isFirst(`hint ${topic}`)) this.hint(message);
	}

	/** Sets the hint to show after all other hints, unless it is already set. */
	hintLast(message: () => string): void {
		this.lastHint ||= message();
	}

	/** Shows the hints that are known only at the end of the run. */
	hintAtEnd(): void {
		this.missing.warn(this);
		for (const message of [this.waitHint, this.lastHint]) if (message !== '') this.hint(message);
	}

	/** Shows a hint and also logs it, because users rarely look at the output of a scheduled run. */
	warn(message: string): void {
		this.tell({ level: 'warn', message });
	}

	/** Logs a notice (a message with a log level). If it is a warning, shows it as a hint too. */
	tell({ level, message }: Notice): void {
		this.context.logger[level](`Workspace Data: ${redactQuoted(message, this.secrets)}`);
		if (level === 'warn') this.hint(message);
	}

	/**
	 * Returns the session of an input item: its credential, client and rate limiter. Items with equal credentials share
	 * a session. Throws CredentialProblem for an invalid credential.
	 */
	async sessionOf(itemIndex: number): Promise<Session> {
		const sessions = await (this.itemSessions ??= this.openSessions());
		return await (this.sharedSession ?? sessions[itemIndex] ?? this.openSessionOf(itemIndex));
	}

	/** Opens all sessions, so that every secret is known before an error of one item quotes the key of another. */
	private async openSessions(): Promise<Array<Promise<Session>>> {
		const sessions: Array<Promise<Session>> = [];
		for (const index of this.items.keys()) {
			if (this.sharedSession !== undefined) break;
			await letOthersRun(index);
			const session = this.openSessionOf(index);
			sessions.push(session);
			// Ignore the error here, because sessionOf() throws it again for the item with this credential.
			await session.catch(() => undefined);
		}
		return sessions;
	}

	private async openSessionOf(itemIndex: number): Promise<Session> {
		const data = await this.context.getCredentials(CREDENTIAL_TYPE, itemIndex);
		const key = JSON.stringify(data);
		const session = this.sessions.get(key) ?? this.open(data, key);
		this.sessions.set(key, session);
		// n8n needs about 1 ms to read a credential. Read the credential only once if it contains no expression.
		if (data.sameForAllItems === true) this.sharedSession = session;
		return await session;
	}

	private async open(data: ICredentialDataDecryptedObject, key: string): Promise<Session> {
		// Collect the secrets before any other code uses the credential, because its errors may quote a secret.
		this.secrets.push(...readCredential(data).secrets);
		const rateLimiter = this.rateLimiters.get(key) ?? new RateLimiter();
		this.rateLimiters.set(key, rateLimiter);
		const onWait = (wait: Wait): void => this.recordWait(wait);
		return await openSession(this.context, { rateLimiter, onWait, data, signal: this.signal });
	}

	private recordWait({ afterMs, failure }: Wait): void {
		// Show no hint if the wait is due to the user's own option Requests per Minute.
		if (afterMs < LONG_WAIT_MS || failure.kind === 'quotaExceeded') return;
		const reason = isRateLimit(failure.facts)
			? 'The service limits the number of requests'
			: 'The service had temporary errors';
		this.waitHint ||= `${reason}, so this node had to wait.`;
	}
}

/** Pauses briefly after every 250 items, so that n8n can do other work. */
export async function letOthersRun(index: number): Promise<void> {
	if (index % 250 === 249) await sleep(0);
}

/** Returns an object that all attempts of one node run share, and no other run has. */
export function dataOfAllAttempts(context: IExecuteFunctions): object {
	// Old versions of n8n lack getExecuteData(), or return no data.
	const data: unknown = context.getExecuteData?.();
	if (!isObject(data)) return context;
	const { node } = data;
	if (isObject(node) && node.name === context.getNode().name) return data;
	// Some AI agents pass the same execution data to all their tools. Only the object with a tool's arguments is a
	// different object for each call.
	const toolArguments: unknown = context.getInputData()[0]?.json;
	return isObject(toolArguments) ? toolArguments : context;
}
