import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { CREDENTIAL_TYPE } from '../client/transport';
import { needsDeveloperKey } from '../common/errors';
import type { Wait } from '../client/request';
import { isRateLimit } from '../client/api';
import { openSession, type Session } from '../common/session';
import { hint } from './hints';
import { operationKind, titleOf, type Operation } from './operation';
import { namesForV1 } from './operations';
import { readMaxConcurrent } from './call/parameters';
import { readOptions } from '../common/parameters';

/** Waits that add up to more than this leave a hint on the node, in ms. */
const LONG_WAIT_MS = 10_000;

/**
 * The sessions of one execution: one for each key that its credential resolves to, since a credential may hold
 * expressions on the input item.
 */
export class Sessions {
	private readonly context: IExecuteFunctions;
	private readonly operation: Operation;
	private readonly onWait: (wait: Wait) => void;
	/** By all that the credential resolves to. */
	private readonly opened = new Map<string, Promise<Session>>();
	/** The one of all items, where the credential is the same for them. */
	private ofAll: Promise<Session> | undefined;
	private readonly known = new Set<string>();

	constructor(context: IExecuteFunctions, operation: Operation) {
		this.context = context;
		this.operation = operation;
		this.onWait = longWaitHint(context);
	}

	/** The values of every key so far that must not appear in any text. */
	get secrets(): readonly string[] {
		return [...this.known];
	}

	/**
	 * The session of an input item: the same for all items whose credential resolves to the same.
	 *
	 * @throws CredentialProblem or InputProblem before any request is sent
	 */
	async of(itemIndex: number): Promise<Session> {
		if (this.ofAll !== undefined) return await this.ofAll;
		const data = await this.context.getCredentials<ICredentialDataDecryptedObject>(
			CREDENTIAL_TYPE,
			itemIndex,
		);
		const key = JSON.stringify(data);
		const session = this.opened.get(key) ?? this.open(data);
		this.opened.set(key, session);
		// n8n needs a ms to read a credential, so it is read once where it says that nothing in it can differ.
		if (data.sameForAllItems === true) this.ofAll = session;
		return await session;
	}

	private async open(data: ICredentialDataDecryptedObject): Promise<Session> {
		const { context, operation, onWait } = this;
		const get = (name: string, fallback?: unknown): unknown =>
			context.getNodeParameter(name, 0, fallback);
		const maxConcurrent =
			operationKind(operation) === 'call' ? readMaxConcurrent(readOptions(get)) : 1;
		const session = await openSession(context, { maxConcurrent, onWait, data });
		const { apiVersion, secrets } = session.credential;
		for (const secret of secrets) this.known.add(secret);
		if (operation.endpoints[apiVersion] === undefined) {
			throw needsDeveloperKey(titleOf(operation), namesForV1());
		}
		return session;
	}
}

/** Waiting is visible: one hint for the whole run once the waits add up, not one for each. */
function longWaitHint(context: IExecuteFunctions): (wait: Wait) => void {
	let waitedMs = 0;
	return ({ afterMs, failure }) => {
		const before = waitedMs;
		waitedMs += afterMs;
		if (before >= LONG_WAIT_MS || waitedMs < LONG_WAIT_MS) return;
		const reason = isRateLimit(failure.facts.statusCode)
			? 'The service limits how many requests it accepts'
			: 'The service had temporary errors';
		hint(
			context,
			`${reason}, so this node waited more than ${LONG_WAIT_MS / 1000} seconds in all.`,
		);
	};
}
