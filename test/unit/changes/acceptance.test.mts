import { expect, it } from 'vitest';

import { acceptHistories } from './play-all.mts';
import { playAndAccept } from './history.mts';
import { wholeHistory } from './random-history.mts';

it('the trigger gives all that is newer from every state that it has ever remembered', async () => {
	await expect(acceptHistories(wholeHistory, playAndAccept, 100)).resolves.toBeUndefined();
});
