// nodes/shared/errors/: turns failures into n8n errors with a title, a cause and advice.

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

/** Facts about a failed operation that its error texts need. */
export interface ErrorContext extends FailureContext {
	node: INode;
	itemIndex?: number;
	/** True if the message must include the description, because AI models and dropdown lists show only the message. */
	messageAlone?: boolean;
	secrets: readonly string[];
}

/**
 * Error for invalid input, found before any request. The message names the parameter, and the description says how to
 * fix it. Use double quotes only around text from users and services: `redactQuoted` hides parts of secrets there.
 */
export class InputProblem extends Error {
	override name = 'InputProblem';
	readonly description: string;
	/** Message and description to use if every input item of the run has the same mistake. */
	readonly ofAll?: readonly [message: string, description: string];

	constructor(message: string, description: string, ofAll?: InputProblem['ofAll']) {
		super(message);
		this.description = description;
		this.ofAll = ofAll;
	}
}

/**
 * Returns the endpoint of an operation for an API version. Throws InputProblem if it needs another credential.
 * @param what name of the operation, the subject of the error message
 */
export function endpointFor<T>(
	what: string,
	endpoints: Partial<Record<ApiVersion, T>>,
	apiVersion: ApiVersion,
): T {
	const found = endpoints[apiVersion];
	if (found !== undefined) return found;
	const [first = DEFAULT_VERSION] = Object.keys(endpoints) as ApiVersion[];
	// Advise the default version if it has this operation, because its credential works for all operations.
	const needed = DEFAULT_VERSION in endpoints ? DEFAULT_VERSION : first;
	const { words, shortWords } = CREDENTIAL_KINDS[needed];
	throw new InputProblem(
		`${what} needs a ${words}, but the credential holds a ${CREDENTIAL_KINDS[apiVersion].words}`,
		`In the credential, set 'API Version' to ${needed.toUpperCase()} and enter an ${shortWords} from the workspace developer settings.`,
	);
}

/** Converts any error to a new n8n error without secrets. Wrapping an error of n8n would keep its old texts. */
export function createNodeError(error: unknown, context: ErrorContext) {
	const isOfService = error instanceof ServiceFailure;
	const nodeError = isOfService ? serviceError(error, context) : inputError(error, context);
	const { message, description } = nodeError;
	if (context.messageAlone && description) {
		// Do not add a full stop if the message already ends with a punctuation mark.
		const end = /[.!?]"?$/.test(message) ? '' : '.';
		nodeError.message = `${message}${end} ${textOfPanel(description).replaceAll('\n', ' ')}`;
		nodeError.description = undefined;
	}
	return nodeError;
}

const ESCAPES = Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '\n': '<br>' });

/** Escapes a text for n8n, which shows descriptions as HTML, so that text of the service cannot become HTML tags. */
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
	// Keep the texts of an InputProblem and of n8n's own errors, such as errors in expressions.
	const { message = error, description } = Object(error) as Record<string, unknown>;
	const isText = typeof message === 'string' && message !== '';
	const text = isText ? message : 'Something unexpected went wrong in this node';
	const isOurs = error instanceof InputProblem;
	const clean = isOurs ? redactQuoted : redact;
	let more = typeof description === 'string' ? clean(description, secrets) : undefined;
	// Descriptions of n8n's own errors are already HTML.
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
	// Set the message again, because NodeApiError replaces a message that contains a network error code.
	apiError.message = message;
	const details = Object.entries({ httpCode, ctxId, nextCursor, pageSize, recordsRead, total });
	apiError.context.details = Object.fromEntries(details.filter(([, value]) => value !== undefined));
	return apiError;
}

/** Returns the JSON of a failed item. Exactly these three keys make n8n send an item to the error output. */
export function errorJson(error: NodeApiError | NodeOperationError): IDataObject {
	return {
		error: error.message,
		message: error.description ? textOfPanel(error.description) : error.message,
		details: (error.context.details as IDataObject | undefined) ?? {},
	};
}
