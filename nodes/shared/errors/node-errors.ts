// nodes/shared/errors/: n8n errors for failures: title, cause, and what to do.

import { NodeApiError, NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';

import {
	CREDENTIAL_KINDS,
	CredentialProblem,
	DEFAULT_VERSION,
	type ApiVersion,
} from '../client/credential';
import { ServiceFailure } from '../client/failures';
import type { FailureContext } from './texts';
import { cursorToContinue, explain } from './explain';
import { redact, redactQuoted } from '../client/secrets';

/** Facts on the failed operation that the error texts need. */
export interface ErrorContext extends FailureContext {
	node: INode;
	itemIndex?: number;
	/** Whether the message has to contain everything, because a model, or a list of the panel, gets no description. */
	messageAlone?: boolean;
	secrets: readonly string[];
}

/**
 * Invalid input that is found before any request. The message names the parameter, and the description says how to fix
 * it. Words of users and services stand in double quotes, and no others (`redactQuoted`).
 */
export class InputProblem extends Error {
	override name = 'InputProblem';
	readonly description: string;
	/** Message and description to use if every item of the run has the mistake. */
	readonly ofAll?: readonly [message: string, description: string];

	constructor(message: string, description: string, ofAll?: InputProblem['ofAll']) {
		super(message);
		this.description = description;
		this.ofAll = ofAll;
	}
}

/** Returns the endpoint for a kind of credential. Throws InputProblem if `what` needs another kind. */
export function endpointFor<T>(
	what: string,
	endpoints: Partial<Record<ApiVersion, T>>,
	apiVersion: ApiVersion,
): T {
	const found = endpoints[apiVersion];
	if (found !== undefined) return found;
	const [first = DEFAULT_VERSION] = Object.keys(endpoints) as ApiVersion[];
	// The default kind of credential also works for the other operations.
	const needed = DEFAULT_VERSION in endpoints ? DEFAULT_VERSION : first;
	const { words, shortWords } = CREDENTIAL_KINDS[needed];
	throw new InputProblem(
		`${what} needs a ${words}, but the credential holds a ${CREDENTIAL_KINDS[apiVersion].words}`,
		`In the credential, set 'API Version' to ${needed.toUpperCase()} and enter an ${shortWords} from the workspace developer settings.`,
	);
}

/** Returns a new error for the user. An error of n8n is not wrapped, because it would keep its old texts. */
export function createNodeError(error: unknown, context: ErrorContext) {
	const isOfService = error instanceof ServiceFailure;
	const nodeError = isOfService ? serviceError(error, context) : inputError(error, context);
	const { message, description } = nodeError;
	if (context.messageAlone && description) {
		// A message may end with a quoted sentence.
		const end = /[.!?]"?$/.test(message) ? '' : '.';
		nodeError.message = `${message}${end} ${textOfPanel(description).replaceAll('\n', ' ')}`;
		nodeError.description = undefined;
	}
	return nodeError;
}

const ESCAPES = Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '\n': '<br>' });

/** Returns text as HTML, because n8n shows a description as HTML. Words of the service must not become tags. */
function forPanel(text: string): string {
	return ESCAPES.reduce((html, [plain, escape]) => html.replaceAll(plain, escape), text);
}

function textOfPanel(html: string): string {
	return ESCAPES.reduceRight((text, [plain, escape]) => text.replaceAll(escape, plain), html);
}

function inputError(error: unknown, context: ErrorContext): NodeOperationError {
	const { node, itemIndex, secrets } = context;
	if (error instanceof CredentialProblem) {
		const description = `${error.fix.replace(/\.$/, '')}. Open the credential of this node to change it.`;
		const failure = { cause: 'credential-invalid' } as const;
		return new NodeOperationError(node, error.problem, { description, itemIndex, failure });
	}
	// An InputProblem keeps its words, and so does an error of n8n, for example of an expression.
	const { message = error, description } = Object(error) as Record<string, unknown>;
	const isText = typeof message === 'string' && message !== '';
	const text = isText ? message : 'Something unexpected went wrong in this node';
	const isOurs = error instanceof InputProblem;
	const clean = isOurs ? redactQuoted : redact;
	let more = typeof description === 'string' ? clean(description, secrets) : undefined;
	// n8n writes its own descriptions as HTML.
	if (more !== undefined && isOurs) more = forPanel(more);
	return new NodeOperationError(node, clean(text, secrets), { description: more, itemIndex });
}

function serviceError(found: ServiceFailure, context: ErrorContext): NodeApiError {
	const failure = found.withoutSecrets(context.secrets);
	const { words, statusCode, ctxId, recordsRead, total } = failure.facts;
	const nextCursor = cursorToContinue(failure);
	const pageSize = nextCursor === undefined ? undefined : failure.facts.pageSize;
	// The user entered the object type, so it may contain a secret.
	const objectType = context.objectType && redact(context.objectType, context.secrets);
	const { message, description, cause } = explain(failure, { ...context, objectType });
	const httpCode = statusCode?.toString();
	const response = { message: words ?? message };
	const apiError = new NodeApiError(context.node, response, {
		message,
		description: forPanel(description),
		httpCode,
		itemIndex: context.itemIndex,
		failure: cause,
	});
	// n8n replaces a message that contains a network code.
	apiError.message = message;
	const details = Object.entries({ httpCode, ctxId, nextCursor, pageSize, recordsRead, total });
	apiError.context.details = Object.fromEntries(details.filter(([, value]) => value !== undefined));
	return apiError;
}

/**
 * Returns the json of an item that failed. n8n sends an item to the error output if it has exactly these three keys.
 */
export function errorJson(error: NodeApiError | NodeOperationError): IDataObject {
	return {
		error: error.message,
		message: error.description ? textOfPanel(error.description) : error.message,
		details: (error.context.details as IDataObject | undefined) ?? {},
	};
}
