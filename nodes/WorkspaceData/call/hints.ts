import type { NodeHint } from 'n8n-workflow';

import { CHOSEN, idOf, INPUT_ITEMS } from '../operation';
import { operations } from '../operations';

const billed = operations.filter(({ repeat }) => repeat === 'billed').map(idOf);

/** n8n resolves no expression in a hint's text, so there is one hint for each of these, and none below the first. */
const STEPS = [2, 10, 100, 1_000, 10_000];

/** What stands in the output pane before a node runs that may be billed for each of several items. */
export const billingHints: NodeHint[] = STEPS.map((least, index) => {
	const next = STEPS.at(index + 1);
	const isBilled = `${JSON.stringify(billed)}.includes(${CHOSEN})`;
	const isStep = ['$parameter.options?.previewOnly !== true', `${INPUT_ITEMS} >= ${least}`];
	if (next !== undefined) isStep.push(`${INPUT_ITEMS} < ${next}`);
	const count = least.toLocaleString('en-US');
	const most = next === undefined ? ' or more' : `–${(next - 1).toLocaleString('en-US')}`;
	return {
		message: `${count}${most} input items: each may be billed. Turn on <b>Preview Only</b> for the exact count, or set <b>Max Calls</b> as a limit.`,
		displayCondition: `={{ ${isBilled} && ${isStep.join(' && ')} }}`,
		type: 'warning',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
	};
});
