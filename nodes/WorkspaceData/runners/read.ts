import { resultOf } from '../../shared/envelope';
import { DEFAULT_MAX_RETRIES } from '../parameters/defaults';
import { readOptions, readRequestLimits } from '../parameters/read';
import { asJson, endpointOf, type Runner } from './runner';

/** Who Am I: one request without parameters, one item. */
export const runRead: Runner = async (task) => {
	task.session.throwIfCancelled();
	const limits = readRequestLimits(readOptions(task.get), {
		maxRetries: DEFAULT_MAX_RETRIES,
		timeoutMs: task.operation.timeoutMs,
	});
	const answer = await task.session.client(
		{ ...endpointOf(task), risk: task.operation.repeat },
		limits,
	);
	task.output.push({ json: asJson(resultOf(answer)), pairedItem: { item: task.itemIndex } });
};
