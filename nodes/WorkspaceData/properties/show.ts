import type { IDisplayOptions } from 'n8n-workflow';

import { operations, type Operation } from '../operations';

/**
 * Display options that show a parameter for every operation that passes the test. n8n combines `resource` and
 * `operation` freely, so the test must not tell two resources with the same operation apart.
 */
export function showFor(
	test: (row: Operation) => boolean,
	more: NonNullable<IDisplayOptions['show']> = {},
): IDisplayOptions {
	const rows = (operations as readonly Operation[]).filter(test);
	return {
		show: {
			resource: [...new Set(rows.map((row) => row.resource))],
			operation: [...new Set(rows.map((row) => row.operation))],
			...more,
		},
	};
}
