import { describe, expect, it } from 'vitest';

import { readChangesParameters } from '../../../../nodes/shared/panel/changes-options.ts';
import { readOptions } from '../../../../nodes/shared/panel/read-parameters.ts';
import { panel, problemOf } from '../../WorkspaceData/parameters-support.mts';

const read = (values: Record<string, unknown>) => {
	const get = panel({ objectType: 'deal', ...values });
	return readChangesParameters(get, readOptions(get), 'poll', 'Europe/Berlin');
};

describe('Start From', () => {
	it.each([undefined, '', 'some day', {}])(
		'names Start Date in the error if its value is %j',
		(startDate) => {
			expect(problemOf(() => read({ startFrom: 'date', startDate }))).toMatchObject({
				message: "'Start Date' must be a date and time",
				description: expect.stringContaining("or set 'Start From' to Now or Beginning."),
			});
		},
	);

	it('reads Start Date in the time zone of the workflow', () => {
		const { startDate } = read({ startFrom: 'date', startDate: '2026-11-23T09:00:00' });
		expect(startDate).toBe(Date.parse('2026-11-23T08:00:00Z'));
	});
});

it('accepts the text "true" for Ignore Total', () => {
	const options = { pagination: { values: { ignoreTotal: 'true' } } };
	expect(read({ options }).ignoreTotal).toBe(true);
});
