import type {
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

/**
 * Makes every version of n8n send an error item to the error output. Before some 2.x they did so only for an item
 * with an `error`, or whose json holds nothing but `error` and `message`; and an item that still has its `error`
 * afterwards loses its json. What n8n sends there is a copy, and a property that cannot be enumerated is not copied.
 *
 * @param item changed and given back
 */
export function markForErrorOutput(
	item: INodeExecutionData,
	error: NodeApiError | NodeOperationError,
	context: IExecuteFunctions,
): INodeExecutionData {
	if (context.getNode().onError !== 'continueErrorOutput') return item;
	// Where no node comes before this one, n8n sends the item itself.
	if (context.getExecuteData().source === null) return item;
	return Object.defineProperty(item, 'error', { value: error, enumerable: false });
}

/**
 * Adds what has become of the other items to the error that ends the node.
 *
 * @param error one of this package's node errors; changed and given back
 */
export function withRemark(error: unknown, remark: string): unknown {
	const nodeError = error as NodeApiError | NodeOperationError;
	const { message, description } = nodeError;
	if (remark === '') return error;
	// A model gets the message alone.
	if (description) nodeError.description = `${description} ${remark}`;
	else nodeError.message = `${message.replace(/\.$/, '')}. ${remark}`;
	return error;
}
