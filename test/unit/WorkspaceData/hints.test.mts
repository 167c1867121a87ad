import { describe, expect, it } from 'vitest';

import { whatWasDone } from '../../../nodes/WorkspaceData/call/call-hints.ts';
import { titleOf } from '../../../nodes/WorkspaceData/operation-row.ts';
import { operations } from '../../../nodes/WorkspaceData/operations.ts';
import { rowOf, tryOf } from './parameters-support.mts';
import { DESCRIPTION, editorOf, panel } from './panel.mts';

it('reports the completed calls if an error ends an operation that cannot be undone', () => {
	const nodeRun = tryOf({}, { ...rowOf('company', 'enrich'), repeat: 'acts' });
	expect(whatWasDone(nodeRun)).toBe('');
	nodeRun.paidCalls.answered = 2;
	const said = whatWasDone(nodeRun);
	expect(said).toMatch(
		/^Done before this error: 2 calls, which cannot be undone\. .*On Error to Continue/,
	);
});

it('reports how many results of all attempts are kept, and how many are lost, after an error', () => {
	const nodeRun = tryOf({}, rowOf('company', 'enrich'));
	Object.assign(nodeRun.paidCalls, { answered: 5, kept: 3 });
	expect(whatWasDone(nodeRun)).toMatch(
		/^Kept for the next execution: the results of 3 calls that may be billed\. Lost: the results of 2 calls that may be billed, because/,
	);
});

/** Returns the values of the display conditions of all hints for an operation, as n8n's editor resolves them. */
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
		'shows at most one hint in the editor before a run with %i input items',
		(inputItems) => {
			const { resource, operation, repeat, hintsAtOnce } = row;
			const shown = conditionsFor({ resource, operation }, inputItems);
			// For Get Many, n8n itself shows that the node runs once per item.
			const isTold = repeat === 'billed' || hintsAtOnce === true;
			const expected = isTold && inputItems > 1 ? [true] : [];
			expect(shown.filter((value) => value !== false)).toEqual(expected);
		},
	);
});
