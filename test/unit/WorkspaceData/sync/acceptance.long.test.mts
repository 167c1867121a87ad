import { expect, it } from 'vitest';

import { acceptHistories } from '../../changes/play-all.mts';
import { playAndAccept } from './history.mts';
import { history } from './random-history.mts';

it(
	'Sync gives all that is newer from every place that it has ever remembered, in thousands of histories',
	{ timeout: 900_000 },
	async () => {
		await expect(acceptHistories(history, playAndAccept, 3_000)).resolves.toBeUndefined();
	},
);
