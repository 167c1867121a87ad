import { expect, it } from 'vitest';

import { acceptHistories } from '../../changes/play-all.mts';
import { playAndAccept } from './history.mts';
import { history } from './random-history.mts';

it('Sync gives all that is newer from every place that it has ever remembered', async () => {
	await expect(acceptHistories(history, playAndAccept, 100)).resolves.toBeUndefined();
});
