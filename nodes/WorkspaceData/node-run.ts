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

/** A wait as long as this leaves one hint for the whole run; the log has all of them. */
const LONG_WAIT_MS = 5_000;

/** One try of a run of the node: all that it holds for its input items, and what it has from the tries before it. */
export class NodeRun {
	readonly context: IExecuteFunctions;
	readonly operation: Operation;
	readonly items: INodeExecutionData[];
	/** As the user wrote them, expressions unresolved. n8n copies the whole node each time it is asked for it. */
	readonly rawParameters: Readonly<Record<string, unknown>>;
	/** The names of all files, so that no two are alike. */
	readonly fileNames = new Set<string>();
	/** Which fields to keep no record has: what those of one input item lack, those of another may have. */
	readonly missing = new MissingFields();
	/** Aborted once nobody gets what would be sent: the execution was stopped, or a failure has ended the node. */
	readonly signal: AbortSignal;
	/** The keys of all input items, hidden in errors, in hints and in the log. */
	readonly secrets: string[];
	/** The keys of the syncs that were read, in earlier tries too. */
	readonly syncs: Set<string>;
	/** Calls of all attempts that may be billed or that act; each attempt repeats calls that only read. */
	readonly paidCalls: PaidCalls;
	/** How fast requests may go, by what the credential resolves to. */
	private readonly rateLimiters: Map<string, RateLimiter>;
	private readonly ending = new AbortController();
	/** Why it had to wait; empty where it had not. */
	private waitHint = '';
	/** What comes after all other hints. */
	private lastHint = '';
	private readonly happened = new Set<string>();
	private readonly opened = new Map<string, Promise<Session>>();
	/** Where the credential is the same for all items. */
	private sessionOfAll: Promise<Session> | undefined;
	private sessionsOfItems: Promise<Array<Promise<Session>>> | undefined;

	/** @param before the try before this one, where n8n's Retry On Fail runs the node again */
	constructor(context: IExecuteFunctions, operation: Operation, before?: NodeRun) {
		this.context = context;
		this.operation = operation;
		this.items = context.getInputData();
		this.rawParameters = context.getNode().parameters;
		this.secrets = before?.secrets ?? [];
		this.syncs = before?.syncs ?? new Set();
		const known = operation.repeat === 'safe' ? undefined : before?.paidCalls;
		this.paidCalls = known ?? new PaidCalls();
		this.rateLimiters = before?.rateLimiters ?? new Map<string, RateLimiter>();
		// What waited in an earlier try is not sent any more.
		for (const rateLimiter of this.rateLimiters.values()) rateLimiter.beginAttempt();
		// Old versions of n8n have none.
		const signals = [context.getExecutionCancelSignal?.(), this.ending.signal];
		this.signal = AbortSignal.any(signals.filter((one) => one !== undefined));
	}

	/** Nothing more is sent, not even what waits for its turn. What is under way ends, since it may have been paid for. */
	end(): void {
		this.ending.abort();
	}

	/** Whether `end` was called. */
	get hasEnded(): boolean {
		return this.ending.signal.aborted;
	}

	/** Whether something happens in this try for the first time. */
	isFirst(what: string): boolean {
		const { size } = this.happened;
		return this.happened.add(what).size > size;
	}

	/** Shows a hint under the output. Versions of n8n before hints lack the function. */
	hint(message: string): void {
		const clean = redactQuoted(message, this.secrets);
		this.context.addExecutionHints?.({ message: clean, location: 'outputPane' });
	}

	/** Shows a hint once per run, however many input items cause it. */
	hintOnce(topic: string, message: string): void {
		if (this.isFirst(`hint ${topic}`)) this.hint(message);
	}

	/** The same for what matters least, after all other hints; nothing for an empty text. */
	hintLast(message: () => string): void {
		this.lastHint ||= message();
	}

	/** Only now is it known what no record has had. */
	hintAtEnd(): void {
		this.missing.warn(this);
		for (const message of [this.waitHint, this.lastHint]) if (message !== '') this.hint(message);
	}

	/** A hint, and a line in n8n's log: nobody looks at the output of a scheduled run. */
	warn(message: string): void {
		this.tell({ level: 'warn', message });
	}

	/** A line in n8n's log, and a hint where it is a warning. */
	tell({ level, message }: Notice): void {
		this.context.logger[level](`Workspace Data: ${redactQuoted(message, this.secrets)}`);
		if (level === 'warn') this.hint(message);
	}

	/** The same session for all items whose credential resolves to the same. Throws CredentialProblem. */
	async sessionOf(itemIndex: number): Promise<Session> {
		const sessions = await (this.sessionsOfItems ??= this.openSessions());
		return await (this.sessionOfAll ?? sessions[itemIndex] ?? this.openSessionOf(itemIndex));
	}

	/** All keys are read first, since an error of one item may quote another item's key. */
	private async openSessions(): Promise<Array<Promise<Session>>> {
		const sessions: Array<Promise<Session>> = [];
		for (const index of this.items.keys()) {
			if (this.sessionOfAll !== undefined) break;
			await letOthersRun(index);
			const session = this.openSessionOf(index);
			sessions.push(session);
			// An item's error is reported when its turn comes.
			await session.catch(() => undefined);
		}
		return sessions;
	}

	private async openSessionOf(itemIndex: number): Promise<Session> {
		const data = await this.context.getCredentials(CREDENTIAL_TYPE, itemIndex);
		const key = JSON.stringify(data);
		const session = this.opened.get(key) ?? this.open(data, key);
		this.opened.set(key, session);
		// n8n needs a ms to read a credential, so it is read once where it says that nothing in it can differ.
		if (data.sameForAllItems === true) this.sessionOfAll = session;
		return await session;
	}

	private async open(data: ICredentialDataDecryptedObject, key: string): Promise<Session> {
		// Before anything else is read: what is wrong with it may be told in words that hold a key.
		this.secrets.push(...readCredential(data).secrets);
		const rateLimiter = this.rateLimiters.get(key) ?? new RateLimiter();
		this.rateLimiters.set(key, rateLimiter);
		const onWait = (wait: Wait): void => this.noteWait(wait);
		return await openSession(this.context, { rateLimiter, onWait, data, signal: this.signal });
	}

	private noteWait({ afterMs, failure }: Wait): void {
		// The user's own bound needs no reason.
		if (afterMs < LONG_WAIT_MS || failure.kind === 'quotaExceeded') return;
		const reason = isRateLimit(failure.facts)
			? 'The service limits the number of requests'
			: 'The service had temporary errors';
		this.waitHint ||= `${reason}, so this node had to wait.`;
	}
}

/** Every 250 items n8n may do something else for a moment. */
export async function letOthersRun(index: number): Promise<void> {
	if (index % 250 === 249) await sleep(0);
}

/** What all tries of one run of the node have in common, and no other run. */
export function dataOfAllAttempts(context: IExecuteFunctions): object {
	// Old versions of n8n may lack the function or the data.
	const data: unknown = context.getExecuteData?.();
	if (!isObject(data)) return context;
	const { node } = data;
	if (isObject(node) && node.name === context.getNode().name) return data;
	// Some agents hand their own data to all their tools; then only the arguments belong to one call.
	const given: unknown = context.getInputData()[0]?.json;
	return isObject(given) ? given : context;
}
