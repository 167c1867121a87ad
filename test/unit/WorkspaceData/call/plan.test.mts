import { expect, it } from 'vitest';

import { CallOutcomes } from '../../../../nodes/WorkspaceData/call-outcomes.ts';
import { KeptResults } from '../../../../nodes/WorkspaceData/call/kept-results.ts';
import { planCalls } from '../../../../nodes/WorkspaceData/call/plan.ts';
import type { NodeRun } from '../../../../nodes/WorkspaceData/task.ts';
import { taskOf } from '../parameters-support.mts';
import { ENRICH, jsonOf } from './read-call.mts';

it('more items than are planned in a row let n8n do something else in between', async () => {
	const items = Array(1_000).fill({});
	const taskOfAny = async () => taskOf(jsonOf({ domain: 'a.example' }), ENRICH);
	const run = { items, taskOf: taskOfAny } as unknown as NodeRun;
	let turns = 0;
	const others = setInterval(() => (turns += 1), 0);
	const results = new KeptResults(undefined as never, ENRICH);
	const plan = await planCalls(run, new CallOutcomes(), results);
	clearInterval(others);
	expect(plan.calls).toHaveLength(1_000);
	expect(turns).toBeGreaterThanOrEqual(3);
});
