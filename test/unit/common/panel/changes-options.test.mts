import { describe, expect, it } from 'vitest';

import { readChangesParameters } from '../../../../nodes/common/panel/changes-options.ts';
import { readSyncParameters } from '../../../../nodes/WorkspaceData/sync/parameters.ts';
import { readTriggerParameters } from '../../../../nodes/WorkspaceDataTrigger/properties.ts';
import { readOptions } from '../../../../nodes/common/panel/parameters.ts';
import { panel, problemOf } from '../../WorkspaceData/parameters-support.mts';

const read = (values: Record<string, unknown>) => {
	const get = panel({ objectType: 'deal', ...values });
	return readChangesParameters(get, readOptions(get), 'poll', 'UTC');
};

describe('Start From', () => {
	it.each([undefined, '', 'some day', {}])('names Start Date where it is %j', (startDate) => {
		expect(problemOf(() => read({ startFrom: 'date', startDate }))).toMatchObject({
			message: "'Start Date' must be a date and time",
			description: expect.stringContaining("or set 'Start From' to Now or Beginning."),
		});
	});

	it('does not look at a Start Date that does not show', () => {
		expect(read({ startFrom: 'now', startDate: 'some day' })).not.toHaveProperty('startDate');
	});
});

describe('what the trigger and Sync have in common', () => {
	it('is read alike', () => {
		const get = panel({
			objectType: 'deal',
			event: 'recordCreated',
			startFrom: 'date',
			startDate: '2026-11-23T09:00:00',
			options: {
				overlapSeconds: 5,
				fields: 'name',
				startOver: ' again ',
				additionalParameters: { values: [{ name: 'status', value: 'open' }] },
				pagination: { values: { ignoreTotal: true, pageSize: '50' } },
				requests: { values: { retryFor: 2, timeout: 3 } },
			},
		});
		const expected = {
			objectType: 'deal',
			field: 'created_at',
			startFrom: 'date',
			startDate: Date.parse('2026-11-23T08:00:00Z'),
			overlapMs: 5_000,
			pageSize: 50,
			fields: ['name'],
			additional: { status: 'open' },
			ignoreTotal: true,
			startOver: 'again',
			limits: { maxRetries: 4, maxWaitMs: 2_000, timeoutMs: 3 },
		};
		expect(readTriggerParameters(get, 'Europe/Berlin')).toMatchObject(expected);
		expect(readSyncParameters({ get, options: readOptions(get) }, 'Europe/Berlin')).toMatchObject(
			expected,
		);
	});
});
