import type { INodeExecutionData } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { runSync } from '../../../../nodes/WorkspaceData/sync/run.ts';
import { ModelService } from '../../changes/service.mts';
import { plainTraits } from '../../changes/service-traits.mts';
import { startExecution, TableInMemory } from './n8n.mts';
import { taskOf } from './task.mts';

const traits = { ...plainTraits, refusal: 403, pageSize: 5, overlapMs: 0 } as const;

let services = 0;

/** A service with records, each of another date. */
function startService(records: number): { service: ModelService; baseUrl: string } {
	const service = new ModelService(traits, 'updated_at');
	for (let made = 0; made < records; made++) {
		service.create(1);
		service.tick(1);
	}
	return { service, baseUrl: `http://run-${++services}.example` };
}

interface Run {
	/** What the batch holds; undefined where none came out. */
	count: unknown;
	checkpoint: string;
	hints: string[];
}

/** One run of Get Changes with a given checkpoint. */
async function run(place: ReturnType<typeof startService>, checkpoint = ''): Promise<Run> {
	const execution = startExecution(new TableInMemory());
	const output: INodeExecutionData[] = [];
	const task = taskOf(
		{
			traits,
			event: 'recordUpdated',
			startFrom: 'beginning',
			progress: 'given',
			outputAs: 'batch',
			recordsPerFile: 10,
			datesAdvance: true,
		},
		{ ...place, checkpoint },
		execution,
		output,
	);
	await runSync(task);
	const { json } = output[0] ?? {};
	const { hints } = execution;
	return { count: json?.count, checkpoint: String(json?.checkpoint ?? checkpoint), hints };
}

describe('a given checkpoint', () => {
	it('comes out although nothing came, where the old one would begin the list again', async () => {
		const place = startService(34);
		const first = await run(place);
		expect(first.count).toBe(34);
		place.service.tick(60);
		place.service.create(1);
		const second = await run(place, first.checkpoint);
		expect(second.count).toBe(1);
		expect((await run(place, second.checkpoint)).count).toBeUndefined();

		place.service.cursors.refuseAll();
		const third = await run(place, second.checkpoint);
		expect(third).toMatchObject({ count: 0, hints: [expect.stringContaining('HTTP 403')] });
		const { requests } = place.service;
		expect(await run(place, third.checkpoint)).toMatchObject({ count: undefined, hints: [] });
		expect(place.service.requests - requests).toBe(1);
	});
});
