import type { INode } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { FollowedList } from '../../../../nodes/shared/changes/checkpoint.ts';
import { openCheckpoint, refuseSameId } from '../../../../nodes/shared/session/checkpoint.ts';
import { problemOf } from '../../WorkspaceData/parameters-support.mts';

const start: FollowedList = {
	objectType: 'company',
	field: 'updated_at',
	startFrom: 'beginning',
	now: 0,
	lookbackMs: 0,
	owner: 'b',
	access: 'key',
};

it.each([
	['trigger', "add a second trigger. To begin again, enter a new text in 'Start Over'"],
	['sync', "give each its own 'Sync Name' (several in one node: by an expression)"],
	['checkpoint', "To begin again, leave 'Checkpoint' empty"],
] as const)(
	'rejects progress that belongs to another credential, and advises how to continue or begin again (%s)',
	(keeper, way) => {
		const place = { newest: 5, watermark: null, owner: 'a' };
		expect(problemOf(() => openCheckpoint(place, start, keeper))).toMatchObject({
			message: `This ${keeper} belongs to another credential`,
			description: expect.stringMatching(/^To continue, choose the former credential again, and/),
		});
		expect(problemOf(() => openCheckpoint(place, start, keeper)).description).toContain(way);
	},
);

it.each(['trigger', 'sync', 'checkpoint'] as const)(
	'reports the start in one short sentence if no progress is stored (%s)',
	(keeper) => {
		const message = 'Starting from the beginning ("company"): no progress is saved yet.';
		expect(openCheckpoint(undefined, start, keeper).notices).toEqual([{ level: 'warn', message }]);
	},
);

it.each([
	['trigger', 'add a second trigger'],
	['sync', "give each its own 'Sync Name' (several in one node: by an expression)"],
	['checkpoint', 'keep a checkpoint for each'],
] as const)(
	'explains how to follow both the old and the new Filters after a change of Filters (%s)',
	(keeper, way) => {
		const from = { ...start, startFrom: 'now', now: 86_400_000 } as const;
		const { checkpoint, isStart } = openCheckpoint(undefined, from, keeper);
		const other = { ...from, additional: { region: 'north' }, now: 2 * from.now };
		const { notices, ...opened } = openCheckpoint(
			{ ...checkpoint, starting: false },
			other,
			keeper,
		);
		expect([isStart, opened]).toMatchObject([
			true,
			{ isStart: false, checkpoint: { startedAt: from.now } },
		]);
		const message = expect.stringMatching(/^Continued from 2 Jan 1970, 00:00 UTC/);
		expect(notices).toEqual([{ level: 'warn', message }]);
		expect(notices[0].message).toContain(`To follow both, ${way}.`);
	},
);

describe('a Start Date in the future', () => {
	const ahead = { ...start, owner: 'a', startFrom: 'date', startDate: 1 } as const;

	it.each(['trigger', 'sync', 'checkpoint'] as const)(
		'rejects a Start Date in the future if no progress is stored for the list (%s)',
		(keeper) => {
			for (const stored of [undefined, { list: 'of another type' }])
				expect(problemOf(() => openCheckpoint(stored, ahead, keeper))).toMatchObject({
					message: "'Start Date' is in the future",
					description: expect.stringContaining(
						"or set 'Start From' to Now. Until 1970-01-01T00:00:00.001Z, no change would be returned.",
					),
				});
		},
	);

	it('accepts the current time as Start Date, and any date if Start From is Beginning or progress is stored', () => {
		const { checkpoint } = openCheckpoint(undefined, { ...ahead, startDate: 0 }, 'sync');
		openCheckpoint(undefined, { ...ahead, startFrom: 'beginning' }, 'sync');
		expect(openCheckpoint(checkpoint, ahead, 'sync').notices).toEqual([]);
	});
});

describe('nodes of one workflow', () => {
	const self = { id: '1', name: 'A', type: 't' } as INode;
	const held = (...others: object[]) => {
		const nodes = others.map((other) => ({ ...self, name: 'B', ...other }));
		return { getNode: () => self, workflow: { nodes: Object.fromEntries(nodes.entries()) } };
	};

	it('rejects two enabled nodes of the same type with the same ID in one workflow', () => {
		expect(problemOf(() => refuseSameId(held({})))).toMatchObject({
			message: 'The nodes "A" and "B" have the same ID',
			description: expect.stringMatching(/^Copy one of them in the editor/),
		});
		refuseSameId(held({ id: '2' }, { type: 'u' }, { disabled: true }, { name: 'A' }));
		refuseSameId({ getNode: () => self, workflow: {} });
		refuseSameId({ getNode: () => self });
	});
});
