import { describe, expect, it } from 'vitest';

import { whatWasDone } from '../../../nodes/WorkspaceData/call/call-hints.ts';
import { titleOf } from '../../../nodes/WorkspaceData/operation-row.ts';
import { operations } from '../../../nodes/WorkspaceData/operations.ts';
import { rowOf, nodeRunOf } from './parameters-support.mts';
import { DESCRIPTION, editorOf, panel } from './panel.mts';

it('states in an error how many calls were done, because the operation cannot be undone', () => {
	const nodeRun = nodeRunOf({}, { ...rowOf('company', 'enrich'), repeat: 'acts' });
	expect(whatWasDone(nodeRun)).toBe('');
	nodeRun.paidCalls.answered = 2;
	const said = whatWasDone(nodeRun);
	expect(said).toMatch(
		/^Done before this error: 2 calls, which cannot be undone\. .*On Error to Continue/,
	);
});

it('reports in an error how many paid results of all attempts were kept, and how many were lost', () => {
	const nodeRun = nodeRunOf({}, rowOf('company', 'enrich'));
	Object.assign(nodeRun.paidCalls, { answered: 5, kept: 3 });
	expect(whatWasDone(nodeRun)).toMatch(
		/^Kept for the next execution: the results of 3 calls that may be billed\. Lost: the results of 2 calls that may be billed, because/,
	);
});

/** Evaluates the display condition of each hint for an operation, as n8n's editor does. Returns the values. */
function conditionsFor(chosen: { resource: string; operation: string }, inputItems: number) {
	const { node, expression } = editorOf({ description: DESCRIPTION }, panel(chosen));
	const items = Array.from({ length: inputItems }, () => ({ json: {} }));
	return (DESCRIPTION.hints ?? []).map(({ displayCondition = '' }) =>
		inputItems === 0
			? expression.getSimpleParameterValue(node, displayCondition, 'internal', {})
			: expression.getParameterValue(displayCondition, null, 0, 0, node.name, items, 'manual', {}),
	);
}

describe.each(operations.map((row) => [titleOf(row), row] as const))('%s', (_title, row) => {
	it.each([0, 1, 2])(
		'shows at most one hint in the editor before a run (input items: %i)',
		(inputItems) => {
			const { resource, operation, repeat, hintsAtOnce } = row;
			const shown = conditionsFor({ resource, operation }, inputItems);
			// Expect no hint for Get Many, because n8n itself shows that the node runs once for each item.
			const isTold = repeat === 'billed' || hintsAtOnce === true;
			const expected = isTold && inputItems > 1 ? [true] : [];
			expect(shown.filter((value) => value !== false)).toEqual(expected);
		},
	);
});
