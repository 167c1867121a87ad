import { expect, it } from 'vitest';

import { acceptHistories } from './play-all.mts';
import { foundHistories } from './found.mts';
import { playAndAccept } from './history.mts';
import { wholeHistory } from './random-history.mts';

it(
	'the trigger gives all that is newer from every state that it has ever remembered, in thousands of histories',
	{ timeout: 900_000 },
	async () => {
		const accepting = acceptHistories(wholeHistory, playAndAccept, 3_000, foundHistories);
		await expect(accepting).resolves.toBeUndefined();
	},
);
