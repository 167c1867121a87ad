import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { createNodeError, errorJson, InputProblem } from '../../shared/errors';
import { ServiceFailure } from '../../shared/failures';
import { openSession, type Session } from '../../shared/session';
import { findOperation, titleOf, type Operation } from '../operations';
import { runCall } from './call';
import { runList } from './list';
import { runRead } from './read';
import type { Runner } from './runner';

const RUNNERS: Record<Operation['kind'], Runner> = { list: runList, call: runCall, read: runRead };

/**
 * Runs the chosen operation for every input item, in their order. Under "Continue" a failed item gives an error
 * item and the others go on; otherwise the first failure ends the node.
 *
 * @throws NodeApiError or NodeOperationError with the index of the item that failed
 */
export async function executeOperation(
	context: IExecuteFunctions,
): Promise<INodeExecutionData[][]> {
	const operation = chosenOperation(context);
	const run = RUNNERS[operation.kind];
	const output: INodeExecutionData[] = [];
	const session = lazy(async () => await openCheckedSession(context, operation));
	for (const [itemIndex, item] of context.getInputData().entries()) {
		const get = (name: string, fallback?: unknown): unknown =>
			context.getNodeParameter(name, itemIndex, fallback);
		try {
			await run({ context, operation, session: await session(), itemIndex, item, get, output });
		} catch (error) {
			output.push(await errorItem(error, { context, operation, session, itemIndex }));
		}
	}
	return [output];
}

function chosenOperation(context: IExecuteFunctions): Operation {
	const resource = context.getNodeParameter('resource', 0);
	const name = context.getNodeParameter('operation', 0);
	const operation = findOperation(resource, name);
	if (operation === undefined) {
		throw createNodeError(
			new InputProblem(
				`The operation "${name}" does not exist for the resource "${resource}"`,
				'Choose Resource and Operation again in this node.',
			),
			{ node: context.getNode() },
		);
	}
	return operation;
}

async function openCheckedSession(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<Session> {
	const session = await openSession(context, () => {});
	const { apiVersion } = session.credential;
	if (operation.endpoints[apiVersion] === undefined) {
		throw new InputProblem(
			`${titleOf(operation)} needs a developer API key (v2), but the credential holds a v1 access token`,
			'Open the credential of this node, set API Version to "V2 – Developer API Key" and enter an API key from the workspace developer settings. A v1 access token works for Enrich, Score and Who Am I only.',
		);
	}
	return session;
}

interface FailedItem {
	context: IExecuteFunctions;
	operation: Operation;
	session: () => Promise<Session>;
	itemIndex: number;
}

/** The error item of a failed input, or a throw where the execution must stop: a cancelled one always does. */
async function errorItem(error: unknown, failed: FailedItem): Promise<INodeExecutionData> {
	const { context, operation, session, itemIndex } = failed;
	const apiVersion = await session().then(
		({ credential }) => credential.apiVersion,
		() => undefined,
	);
	const nodeError = createNodeError(error, {
		node: context.getNode(),
		itemIndex,
		apiVersion,
		permission: apiVersion === undefined ? undefined : operation.permission[apiVersion],
	});
	const cancelled = error instanceof ServiceFailure && error.kind === 'cancelled';
	if (cancelled || !context.continueOnFail()) throw nodeError;
	return { json: errorJson(nodeError), pairedItem: { item: itemIndex } };
}

/** Does the work at the first call and gives the same result, or the same failure, at each one. */
function lazy<T>(work: () => Promise<T>): () => Promise<T> {
	let result: Promise<T> | undefined;
	return async () => await (result ??= work());
}
