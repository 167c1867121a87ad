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

/** Waits of at least this length (ms) show one hint per run. The log lists every wait. */
const LONG_WAIT_MS = 5_000;

/** One attempt of a node run: the state that its input items share, and the state of earlier attempts. */
export class NodeRun {
	readonly context: IExecuteFunctions;
	readonly operation: Operation;
	readonly items: INodeExecutionData[];
	/** Parameters as the user wrote them. Read once, because getNode() copies the whole node. */
	readonly rawParameters: Readonly<Record<string, unknown>>;
	/** Names of all files of the output, so that every name is unique. */
	readonly fileNames = new Set<string>();
	/** Fields in the option Fields or Output Fields that no record of any input item has. */
	readonly missing = new MissingFields();
	/** Aborted when results can no longer be returned: the execution was stopped, or a failure has ended the node. */
	readonly signal: AbortSignal;
	/** Secrets of the credentials of all input items. Errors, hints and the log hide them. */
	readonly secrets: string[];
	/** Keys of the syncs that this attempt and earlier attempts have read. */
	readonly syncs: Set<string>;
	/** Calls of all attempts that may be billed or change something. Every attempt repeats calls that are not billed. */
	readonly paidCalls: PaidCalls;
	/** The rate limiter of each credential, by the values that the credential resolves to. */
	private readonly rateLimiters: Map<string, RateLimiter>;
	private readonly endController = new AbortController();
	/** Hint on the first long wait; empty without a long wait. */
	private waitHint = '';
	/** Hint that is shown after all other hints; empty for no hint. */
	private lastHint = '';
	private readonly events = new Set<string>();
	private readonly sessions = new Map<string, Promise<Session>>();
	/** Set if all items use the same credential values. */
	private sharedSession: Promise<Session> | undefined;
	private itemSessions: Promise<Array<Promise<Session>>> | undefined;

	/** @param previous the attempt before this one, if Retry On Fail of n8n runs the node again */
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
		// Requests of an earlier attempt that still wait are dropped.
		for (const rateLimiter of this.rateLimiters.values()) rateLimiter.beginAttempt();
		// Old versions of n8n have no cancel signal.
		const signals = [context.getExecutionCancelSignal?.(), this.endController.signal];
		this.signal = AbortSignal.any(signals.filter((signal) => signal !== undefined));
	}

	/** Drops all requests that still wait. Requests in flight finish, because they may have been paid for. */
	end(): void {
		this.endController.abort();
	}

	/** Checks whether `end` was called. */
	get hasEnded(): boolean {
		return this.endController.signal.aborted;
	}

	/** Checks whether an event happens for the first time in this attempt. */
	isFirst(event: string): boolean {
		const { size } = this.events;
		return this.events.add(event).size > size;
	}

	/** Shows a hint under the output. Old versions of n8n have no hints. */
	hint(message: string): void {
		const redacted = redactQuoted(message, this.secrets);
		this.context.addExecutionHints?.({ message: redacted, location: 'outputPane' });
	}

	/** Shows a hint once per attempt, however many input items cause it. */
	hintOnce(topic: string, message: string): void {
		if (this.isFirst(`hint ${topic}`)) this.hint(message);
	}

	/** Sets the hint to show after all others, unless it is set. An empty text sets no hint. */
	hintLast(message: () => string): void {
		this.lastHint ||= message();
	}

	/** Shows the hints that are known only at the end of the run. */
	hintAtEnd(): void {
		this.missing.warn(this);
		for (const message of [this.waitHint, this.lastHint]) if (message !== '') this.hint(message);
	}

	/** Shows a hint and logs it, because a scheduled run has no viewer of its output. */
	warn(message: string): void {
		this.tell({ level: 'warn', message });
	}

	/** Logs a notice. Shows a warning as a hint too. */
	tell({ level, message }: Notice): void {
		this.context.logger[level](`Workspace Data: ${redactQuoted(message, this.secrets)}`);
		if (level === 'warn') this.hint(message);
	}

	/** Returns the session of an item. Items with equal credentials share a session. Throws CredentialProblem. */
	async sessionOf(itemIndex: number): Promise<Session> {
		const sessions = await (this.itemSessions ??= this.openSessions());
		return await (this.sharedSession ?? sessions[itemIndex] ?? this.openSessionOf(itemIndex));
	}

	/** Reads the credentials of all items first, because an error of one item may quote the key of another item. */
	private async openSessions(): Promise<Array<Promise<Session>>> {
		const sessions: Array<Promise<Session>> = [];
		for (const index of this.items.keys()) {
			if (this.sharedSession !== undefined) break;
			await letOthersRun(index);
			const session = this.openSessionOf(index);
			sessions.push(session);
			// sessionOf() throws the error again for its item.
			await session.catch(() => undefined);
		}
		return sessions;
	}

	private async openSessionOf(itemIndex: number): Promise<Session> {
		const data = await this.context.getCredentials(CREDENTIAL_TYPE, itemIndex);
		const key = JSON.stringify(data);
		const session = this.sessions.get(key) ?? this.open(data, key);
		this.sessions.set(key, session);
		// Reading a credential takes n8n about 1 ms. Read it once if it contains no expression.
		if (data.sameForAllItems === true) this.sharedSession = session;
		return await session;
	}

	private async open(data: ICredentialDataDecryptedObject, key: string): Promise<Session> {
		// Collect the secrets before any other code reads the credential and throws an error that may quote them.
		this.secrets.push(...readCredential(data).secrets);
		const rateLimiter = this.rateLimiters.get(key) ?? new RateLimiter();
		this.rateLimiters.set(key, rateLimiter);
		const onWait = (wait: Wait): void => this.recordWait(wait);
		return await openSession(this.context, { rateLimiter, onWait, data, signal: this.signal });
	}

	private recordWait({ afterMs, failure }: Wait): void {
		// No hint on the limit that the user has set.
		if (afterMs < LONG_WAIT_MS || failure.kind === 'quotaExceeded') return;
		const reason = isRateLimit(failure.facts)
			? 'The service limits the number of requests'
			: 'The service had temporary errors';
		this.waitHint ||= `${reason}, so this node had to wait.`;
	}
}

/** Gives n8n time for other work after every 250 items. */
export async function letOthersRun(index: number): Promise<void> {
	if (index % 250 === 249) await sleep(0);
}

/** Returns an object that all attempts of one node run share, and no other run has. */
export function dataOfAllAttempts(context: IExecuteFunctions): object {
	// Old versions of n8n may lack the function or the data.
	const data: unknown = context.getExecuteData?.();
	if (!isObject(data)) return context;
	const { node } = data;
	if (isObject(node) && node.name === context.getNode().name) return data;
	// Some agents pass their own data to all their tools. Only the arguments then belong to one call.
	const toolArguments: unknown = context.getInputData()[0]?.json;
	return isObject(toolArguments) ? toolArguments : context;
}
