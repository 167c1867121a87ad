import type { NodeHint } from 'n8n-workflow';

import { subtitleOf } from './operation';
import { rows } from './operations';

/** "resource:operation" of the node, inside an expression. */
const CHOSEN = '$parameter.resource + ":" + $parameter.operation';

/** The node's subtitle on the canvas: the names that people chose, by the values that n8n stores. */
export const subtitle = `={{ (${JSON.stringify(
	Object.fromEntries(rows.map((row) => [`${row.resource}:${row.operation}`, subtitleOf(row)])),
)})[${CHOSEN}] }}`;

/** n8n resolves no expression in a hint's text, so there is one hint for each of these, and none below the first. */
const STEPS = [2, 10, 100, 1_000, 10_000];

/** What stands in the output pane before a node runs that may be billed for each of several items. */
export const hints: NodeHint[] = STEPS.map((least, index) => {
	const next = STEPS.at(index + 1);
	const isBilled = `${JSON.stringify(
		rows
			.filter(({ repeat }) => repeat === 'billed')
			.map(({ resource, operation }) => `${resource}:${operation}`),
	)}.includes(${CHOSEN})`;
	const isStep = [`$input.all().length >= ${least}`];
	if (next !== undefined) isStep.push(`$input.all().length < ${next}`);
	const count = least.toLocaleString('en-US');
	const most = next === undefined ? '' : ` and less than ${next.toLocaleString('en-US')}`;
	return {
		message: `The input has at least ${count}${most} items. Each is one call that may be billed, unless <b>Execute Once</b> is on. The options <b>Preview Only</b> and <b>Max Calls</b> say exactly how many there would be, and limit them.`,
		displayCondition: `={{ ${isBilled} && ${isStep.join(' && ')} }}`,
		type: 'warning',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
	};
});
