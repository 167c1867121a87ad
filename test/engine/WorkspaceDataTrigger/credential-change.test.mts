/** Tests that a trigger follows the records of its credential, even if the API key in the credential changes. */
import { expect, it } from 'vitest';
import { sandboxCredentials } from '../../sandbox/server.mts';
import { useSandbox } from '../harness/support.mts';
import { companyTrigger, idsOf, messagesOf } from '../harness/trigger-poller.mts';

const bench = useSandbox({ companies: 5, orders: 5, items: 5, deals: 10 });
const trigger = companyTrigger(bench);
const deals = { objectType: 'deal', startFrom: 'beginning' };

it('fails without storing anything after the credential is replaced, until the user sets Start Over', async () => {
	const first = await trigger(deals);
	expect(await first.drain()).toHaveLength(10);
	const { stored } = first;
	const other = {
		...{ credential: bench.v2(sandboxCredentials.v2OtherWorkspace), credentialId: 'other' },
	};
	const after = first.edited(other);
	for (let polls = 0; polls < 2; polls++) {
		await expect(after.poll()).rejects.toMatchObject({
			message: 'This trigger belongs to another credential',
			description: expect.stringMatching(/former credential again, .* 'Start Over'/),
		});
	}
	expect(after.stored).toEqual(stored);

	const anew = after.edited({ parameters: { options: { startOver: 'for it' } } });
	const expected = [...bench.sandbox.otherWorkspace.records('deal')].map(({ id }) => String(id));
	const { items, logs } = await anew.poll();
	expect(idsOf(items).toSorted()).toEqual(expected.toSorted());
	expect(messagesOf(logs)).toContain("'Start Over' has a new text");
	for (const secret of Object.values(sandboxCredentials)) {
		expect(JSON.stringify([anew.stored, logs])).not.toContain(secret);
	}
});

it('continues after the key in the credential has changed, logs the change once, and sends no whoami request', async () => {
	const first = await trigger(deals);
	await first.drain();
	const after = first.edited({ credential: bench.v2(sandboxCredentials.v2Regular) });
	const [changed] = bench.sandbox.create('deal', 1);
	bench.sandbox.clearRequests();
	const { items, logs } = await after.poll();
	expect(idsOf(items)).toEqual([changed]);
	expect(messagesOf(logs)).toContain(
		'Continued with another key or address in the same credential',
	);
	expect(messagesOf((await after.poll()).logs)).toBe('');
	expect(bench.sandbox.requests.map(({ method }) => method)).not.toContain('GET');
});

it('continues if the API key in the credential is an expression that now returns a different key', async () => {
	const expressionOf = (key: string) => ({ ...bench.v2(), apiKey: `={{ "${key}" }}` });
	const first = await trigger(deals, 'memory', expressionOf(sandboxCredentials.v2Full));
	await first.drain();
	expect((await first.edited({}).poll()).items).toBeNull();
	const rotated = { credential: expressionOf(sandboxCredentials.v2Regular) };
	const after = first.edited(rotated);
	const [changed] = bench.sandbox.create('deal', 1);
	const { items, logs } = await after.poll();
	expect(idsOf(items)).toEqual([changed]);
	expect(messagesOf(logs)).toContain('Continued with another key');
	await expect(after.edited({ ...rotated, credentialId: 'other' }).poll()).rejects.toMatchObject({
		message: expect.stringContaining('belongs to another credential'),
		description: expect.not.stringContaining('expressions'),
	});
});

it('hides an API key in the log even if the user pasted it into Object Type', async () => {
	const body = { success: true, data: { items: [] }, meta: { pagination: { total: 0 } } };
	bench.sandbox.addFault({ status: 200, times: Infinity, body });
	const poller = await trigger({ objectType: sandboxCredentials.v2Full });
	const { logs } = await poller.poll();
	expect(messagesOf(logs)).toContain('("[hidden]"): no progress is saved yet');
	expect(messagesOf(logs)).not.toContain(sandboxCredentials.v2Full);
});
