import { expect, it } from 'vitest';

import { acceptHistories } from './accept-histories.mts';
import { playAndAccept } from './history.mts';
import { history } from './random-history.mts';

it('the trigger gives all that is newer from every state that it has ever remembered', async () => {
	await expect(acceptHistories(history, playAndAccept, 100)).resolves.toBeUndefined();
});
