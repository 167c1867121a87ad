// nodes/WorkspaceData/whoAmI/: the operation without parameters, which gets one answer.

import { resultOf } from '../../client/envelope';
import { readRequestLimits } from '../../common/request-options';
import { readOptions } from '../../common/parameters';
import { readOutput } from '../answer';
import { asJson, endpointOf, type Runner } from '../task';

/** Who Am I: one request without parameters, one item. */
export const runRead: Runner = async (task) => {
	task.session.throwIfCancelled();
	const options = readOptions(task.get);
	const output = readOutput(options, ['result', 'response']);
	const limits = readRequestLimits(options, task.operation.timeoutMs);
	const answer = await task.session.client(
		{ ...endpointOf(task), risk: task.operation.repeat },
		limits,
	);
	const part = output === 'response' ? answer : resultOf(answer);
	task.output.push({ json: asJson(part), pairedItem: { item: task.itemIndex } });
};
