import { sleep, type ICredentialDataDecryptedObject, type IExecuteFunctions } from 'n8n-workflow';

import { readCredential } from '../client/credential';
import { isRateLimit } from '../client/failures';
import type { Wait } from '../client/api';
import { now, openSession, type Session } from '../common/session/session';
import { CREDENTIAL_TYPE } from '../common/session/transport';
import { hint } from './hints';
import { memoryOf } from './run-memory';

/** Waits that add up to more than this leave one hint for the whole run. */
const LONG_WAIT_MS = 10_000;

/** The sessions of one execution: one for each key that the credential resolves to for its input items. */
export class ItemSessions {
	private readonly context: IExecuteFunctions;
	private readonly maxConcurrent: number;
	private readonly signal?: AbortSignal;
	private readonly opened = new Map<string, Promise<Session>>();
	/** Where the credential is the same for all items. */
	private ofAll: Promise<Session> | undefined;
	private ofItems: Promise<Array<Promise<Session>>> | undefined;
	/** Requests that wait at the same time wait once. */
	private waitedMs = 0;
	private waitedToMs = 0;

	/**
	 * @param maxConcurrent how many requests of a session may be under way at once
	 * @param signal aborted once the run wants nothing more
	 */
	constructor(context: IExecuteFunctions, maxConcurrent: number, signal?: AbortSignal) {
		this.context = context;
		this.maxConcurrent = maxConcurrent;
		this.signal = signal;
	}

	/** The same session for all items whose credential resolves to the same. Throws CredentialProblem. */
	async of(itemIndex: number): Promise<Session> {
		const sessions = await (this.ofItems ??= this.readAll());
		return await (this.ofAll ?? sessions[itemIndex] ?? this.read(itemIndex));
	}

	/** All keys are read first, since an error of one item may quote another item's key. */
	private async readAll(): Promise<Array<Promise<Session>>> {
		const sessions: Array<Promise<Session>> = [];
		for (const index of this.context.getInputData().keys()) {
			if (this.ofAll !== undefined) break;
			await letOthersRun(index);
			const session = this.read(index);
			sessions.push(session);
			// An item's error is reported when its turn comes.
			await session.catch(() => undefined);
		}
		return sessions;
	}

	private async read(itemIndex: number): Promise<Session> {
		const data = await this.context.getCredentials(CREDENTIAL_TYPE, itemIndex);
		const key = JSON.stringify(data);
		const session = this.opened.get(key) ?? this.open(data, key);
		this.opened.set(key, session);
		// n8n needs a ms to read a credential, so it is read once where it says that nothing in it can differ.
		if (data.sameForAllItems === true) this.ofAll = session;
		return await session;
	}

	private async open(data: ICredentialDataDecryptedObject, key: string): Promise<Session> {
		const memory = memoryOf(this.context);
		// Before anything else is read: what is wrong with it may be told in words that hold a key.
		memory.secrets.push(...readCredential(data).secrets);
		const onWait = (wait: Wait): void => this.noteWait(wait);
		const rateLimiter = memory.rateLimiterOf(key, this.maxConcurrent);
		const { signal } = this;
		return await openSession(this.context, { rateLimiter, onWait, data, signal });
	}

	private noteWait({ afterMs, failure }: Wait): void {
		const before = this.waitedMs;
		const nowMs = now();
		const beginsMs = Math.max(nowMs, this.waitedToMs);
		this.waitedToMs = Math.max(nowMs + afterMs, beginsMs);
		this.waitedMs += this.waitedToMs - beginsMs;
		if (before >= LONG_WAIT_MS || this.waitedMs < LONG_WAIT_MS) return;
		const reason = isRateLimit(failure.facts)
			? 'The service limits how many requests it accepts'
			: 'The service had temporary errors';
		const waited = `this node waited more than ${LONG_WAIT_MS / 1000} seconds in all`;
		hint(this.context, `${reason}, so ${waited}.`);
	}
}

/** Every 250 items n8n may do something else for a moment. */
export async function letOthersRun(index: number): Promise<void> {
	if (index % 250 === 249) await sleep(0);
}
