import type { INodeProperties } from 'n8n-workflow';

import { isObject, resultOf } from '../client/envelope';
import { oneOf } from '../common/parameters';
import type { Operation } from './operation';

/** What comes out of an answer: its result alone, or all of it. */
export type Output = 'result' | 'response';

/** The option Output of operations that put out what the service answers. */
export const outputOption: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{ name: 'Result', value: 'result', description: 'What the service found out or did' },
		{
			name: 'Whole Response',
			value: 'response',
			description:
				'All that the service answered, as one item: beside the result also success and meta, with the ID of the request and how many results there are',
		},
	],
	default: 'result',
	description: 'What to put out of the answer of the service',
};

/**
 * The option Output.
 *
 * @throws InputProblem when it is neither
 */
export function readOutput(options: Record<string, unknown>): Output {
	return oneOf(options.output ?? 'result', 'Output', ['result', 'response']);
}

/**
 * The results that an answer holds. Where an operation finds many, each element of its list is one. A list in a place
 * that is not known cannot be told apart from what belongs to it: the answer is then one result, as a whole where the
 * list is not in `data`, so that nothing is lost.
 */
export function resultsOf({ result: wanted }: Operation, answer: unknown): unknown[] {
	const result = resultOf(answer);
	if (wanted === 'one') return [result];
	return listOf(result) ?? [listsIn(answer).length === 0 ? result : answer];
}

/** How many results an answer of many holds, as far as can be told: where its list is not known, the longest counts. */
export function countOf(answer: unknown): number {
	const result = resultOf(answer);
	const list = listOf(result);
	if (list !== undefined) return list.length;
	const lengths = [...listsIn(answer), ...listsIn(result)].map(({ length }) => length);
	return lengths.reduce((most, length) => Math.max(most, length), 0);
}

/** `data.items` (docs/api.md, Envelope), or `data` where that is the list. */
function listOf(result: unknown): unknown[] | undefined {
	if (Array.isArray(result)) return result;
	return isObject(result) && Array.isArray(result.items) ? result.items : undefined;
}

function listsIn(value: unknown): unknown[][] {
	return isObject(value) ? Object.values(value).filter(Array.isArray) : [];
}
