import { describe, it } from 'vitest';

import { readSuccesses, sendRequests } from './fuzz.mts';

describe('createClient against random answers', () => {
	it('ends in a body or a ServiceFailure, within its retries and waits', async () => {
		await sendRequests(300);
	});

	it('reads a list or a result out of any success, or says why not', async () => {
		await readSuccesses(300);
	});
});
