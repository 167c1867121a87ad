import { describe, expect, it } from 'vitest';

import { readCall } from '../../../../nodes/WorkspaceData/call/call-parameters.ts';
import type { Operation } from '../../../../nodes/WorkspaceData/operation-row.ts';
import { problemOf, taskOf } from '../parameters-support.mts';
import { ENRICH, jsonOf } from './read-call.mts';

const words = { description: '', placeholder: '' };
/** Operation with parameters of its own, such as the ID of an order. No real operation has such parameters yet. */
const cancel: Operation = {
	...ENRICH,
	sendsData: undefined,
	operation: 'cancel',
	endpoints: { v2: { method: 'POST', path: '/v2/public/orders/{orderId}/cancel' } },
	parameters: [
		{
			...{ name: 'orderId', displayName: 'Order ID', ...words },
			...{ goesInto: 'path', ifEmpty: 'Enter the ID of the order.' },
		},
		{ name: 'reason', displayName: 'Reason', ...words, goesInto: 'body' },
	],
	repeat: 'acts',
};

const requestOf = (operation: Operation, values: Record<string, unknown>) =>
	readCall(taskOf({ orderId: '1', ...values }, operation)).request;

describe('operation with parameters of its own', () => {
	it.each([
		['ord_1', 'ord_1'],
		[' 42 ', '42'],
		[42, '42'],
		['a/b?c#d', 'a%2Fb%3Fc%23d'],
		['$&', '%24%26'],
	])(
		'puts the parameter value %j into the URL path, and omits a parameter that is empty',
		(orderId, inPath) => {
			const path = `/v2/public/orders/${inPath}/cancel`;
			const request = { method: 'POST', path, bodyText: '{}', repeat: 'acts' };
			expect(requestOf(cancel, { orderId })).toEqual(request);
		},
	);

	it('puts a parameter into the body, and rejects data that contradicts this parameter', () => {
		expect(requestOf(cancel, { reason: ' late ' }).bodyText).toBe('{"reason":"late"}');
		const withData: Operation = { ...cancel, sendsData: true };
		const bodyOf = (json: string) =>
			requestOf(withData, { reason: 'late', ...jsonOf(json) }).bodyText;
		expect(bodyOf('{"at":1}')).toBe('{"at":1,"reason":"late"}');
		expect(problemOf(() => bodyOf('{"at":1,"reason":"x"}'))).toMatchObject({
			message: 'The data to send sets reason to "x", but this operation sends "late"',
			description: 'Remove reason from the data.',
		});
	});

	it('computes a different cache key for different parameter values', () => {
		const keyOf = (values: Record<string, unknown>) => readCall(taskOf(values, cancel)).key;
		const keys = [
			{ orderId: '1' },
			{ orderId: '2' },
			{ orderId: '1', reason: 'a' },
			{ orderId: '1', reason: 'b' },
		].map(keyOf);
		expect(new Set(keys).size).toBe(4);
	});

	it('does not reuse the results of an operation that cannot be undone', () => {
		const task = taskOf({ orderId: 1, options: { cache: { values: { days: 1 } } } }, cancel);
		expect(readCall(task).keeping).toBeUndefined();
	});

	it.each([
		['  ', "'Order ID' must have a value", 'Enter the ID of the order.'],
		['..', "'Order ID' must have a value", 'Enter the ID of the order. It is ".." now.'],
		['.', "'Order ID' must have a value", 'Enter the ID of the order. It is "." now.'],
		[2 ** 60, expect.stringContaining('"Order ID" is too large'), expect.anything()],
		[{}, "'Order ID' must be text", expect.anything()],
	])('rejects %j as the value of a required parameter', (orderId, message, description) => {
		const problem = problemOf(() => requestOf(cancel, { orderId }));
		expect(problem).toMatchObject({ message, description });
	});
});
