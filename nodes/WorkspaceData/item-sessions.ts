import { sleep, type ICredentialDataDecryptedObject, type IExecuteFunctions } from 'n8n-workflow';

import { readCredential } from '../client/credential';
import { CREDENTIAL_TYPE } from '../common/transport';
import type { Wait } from '../client/api';
import { isRateLimit } from '../client/refusal';
import { openSession, type Session } from '../common/session';
import { hint } from './hints';
import type { Operation } from './operation-row';
import { readMaxConcurrent } from './call/parameters';
import { readOptions } from '../common/parameters';

/** Waits that add up to more than this leave a hint on the node, in ms. */
const LONG_WAIT_MS = 10_000;

/** How many credentials are read before n8n may do something else for a moment. */
const ITEMS_IN_A_ROW = 250;

/** The sessions of one execution: one for each key that the credential resolves to for its input items. */
export function sessionsFor(context: IExecuteFunctions, operation: Operation) {
	const secrets: string[] = [];
	const onWait = longWaitHint(context);
	const opened = new Map<string, Promise<Session>>();
	/** The one of all items, where the credential is the same for them; else one for each. */
	let ofAll: Promise<Session> | undefined;
	let ofItems: Promise<Array<Promise<Session>>> | undefined;

	const open = async (data: ICredentialDataDecryptedObject): Promise<Session> => {
		// Before anything else is read: what is wrong with it may be told in words that hold a key.
		secrets.push(...readCredential(data).secrets);
		const isCall = operation.kind === 'call';
		const options = readOptions((name) => context.getNodeParameter(name, 0, {}));
		const maxConcurrent = isCall ? readMaxConcurrent(options) : 1;
		return await openSession(context, { maxConcurrent, onWait, data });
	};

	const read = async (itemIndex: number): Promise<Session> => {
		const data = await context.getCredentials(CREDENTIAL_TYPE, itemIndex);
		const key = JSON.stringify(data);
		const session = opened.get(key) ?? open(data);
		opened.set(key, session);
		// n8n needs a ms to read a credential, so it is read once where it says that nothing in it can differ.
		if (data.sameForAllItems === true) ofAll = session;
		return await session;
	};

	/** All before the first is used: what is said of one item may hold the key of any other. */
	const readAll = async (): Promise<Array<Promise<Session>>> => {
		const sessions: Array<Promise<Session>> = [];
		for (const index of context.getInputData().keys()) {
			if (ofAll !== undefined) break;
			if (index % ITEMS_IN_A_ROW === ITEMS_IN_A_ROW - 1) await sleep(0);
			const session = read(index);
			sessions.push(session);
			// It is thrown where the item has its turn.
			await session.catch(() => undefined);
		}
		return sessions;
	};

	return {
		/** The values of every key that must not appear in any text; all of them once one session is there. */
		secrets,
		/** The same session for all items whose credential resolves to the same. Throws CredentialProblem or InputProblem. */
		async of(itemIndex: number): Promise<Session> {
			const sessions = await (ofItems ??= readAll());
			return await (ofAll ?? sessions[itemIndex] ?? read(itemIndex));
		},
	};
}

/** Waiting is visible: one hint for the whole run once the waits add up, not one for each. */
function longWaitHint(context: IExecuteFunctions): (wait: Wait) => void {
	let waitedMs = 0;
	return ({ afterMs, failure }) => {
		const before = waitedMs;
		waitedMs += afterMs;
		if (before >= LONG_WAIT_MS || waitedMs < LONG_WAIT_MS) return;
		const reason = isRateLimit(failure.facts)
			? 'The service limits how many requests it accepts'
			: 'The service had temporary errors';
		hint(
			context,
			`${reason}, so this node waited more than ${LONG_WAIT_MS / 1000} seconds in all.`,
		);
	};
}
