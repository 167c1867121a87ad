/** Tests a credential whose key is an expression, so that each item uses the key of its own tenant. */
import { describe, expect, test } from 'vitest';

import { sandboxCredentials } from '../../sandbox/server.mts';
import { everyOperation } from '../../samples.mts';
import { TableInMemory } from '../../unit/WorkspaceData/sync/n8n.mts';
import { expectClean, written } from '../shared/client/secret-answers.mts';
import { jsonOf, runNode, useSandbox } from '../harness/support.mts';

const bench = useSandbox({ companies: 5, orders: 5, items: 5, deals: 5 });

const { v2Full, v2Regular, v1AllScopes } = sandboxCredentials;
/** Labels in the request log of the sandbox for the keys of tenant a and tenant b. */
const A = 'v2-full';
const B = 'v2-regular';

/**
 * Returns an expression that selects one of two values by the tenant of the item. The expression contains the keys, so
 * that no item contains a key.
 */
const byTenant = (a: string, b: string): string => `={{ $json.tenant === "b" ? "${b}" : "${a}" }}`;
const credential = () => ({ ...bench.v2(), apiKey: byTenant(v2Full, v2Regular) });
const items = ['a', 'b', 'a'].map((tenant) => ({ tenant, domain: 'same.example' }));
const onError = 'continueRegularOutput';
/** Returns parameters of Score that send one request at a time. */
const score = (options: object) => ({
	...{ resource: 'company', operation: 'score', dataToSend: 'autoMapInputData' },
	options: { maxConcurrent: 1, ...options },
});

/** Returns the labels of the keys in all requests, in order. Requests in a row with the same key count once. */
function payers(): unknown[] {
	const keys = bench.sandbox.requests.map(({ headers }) => headers.authorization);
	return keys.filter((key, index) => key !== keys[index - 1]);
}

describe('two tenants in one run', () => {
	const withRequest = everyOperation.filter(({ requests }) => requests.v2 !== undefined);
	test.each(withRequest)('sends each item with the key of its tenant: $title', async (sample) => {
		const { chosen, parameters, repeat } = sample;
		const options = {
			...(parameters.options as object),
			// Send one request at a time, so that the keys arrive in the order of the items.
			...(repeat !== 'safe' && { maxConcurrent: 1 }),
		};
		const kept = chosen.resource === 'sync' ? { progress: 'given', outputAs: 'batch' } : {};
		await bench.succeed(
			{ ...parameters, ...kept, options },
			{ items, credential: credential(), onError },
		);
		expect(payers()).toEqual([A, B, A]);
	});

	test('shares the result of identical calls only between items of the same tenant', async () => {
		const run = await bench.run(
			{
				...score({ deduplicateBy: '*' }),
				...{ dataToSend: 'json', jsonBody: '{"domain":"same.example"}' },
			},
			{ items: [...items, ...items], credential: credential() },
		);
		expect(bench.sandbox.requests.map(({ headers }) => headers.authorization)).toEqual([A, B]);
		expect(jsonOf(run)).toHaveLength(6);
	});

	test('sends nothing if one tenant has no key, but sends the other items with On Error: Continue', async () => {
		const enrich = { resource: 'company', operation: 'enrich', dataToSend: 'autoMapInputData' };
		const broken = { ...bench.v2(), apiKey: byTenant(v2Full, '') };
		const stopped = await bench.run(enrich, { items, credential: broken });
		expect(stopped.error?.message).toContain('API Key');
		expect(stopped.error?.description).toContain('Open the credential');
		expect(stopped.error?.context).toMatchObject({ itemIndex: 1 });
		expect(bench.sandbox.requests).toEqual([]);
		const run = await bench.run(enrich, { items, credential: broken, onError });
		expect(jsonOf(run).map((json) => 'error' in json)).toEqual([false, true, false]);
		expect(payers()).toEqual([A]);
	});

	test.each(['apiKey', 'baseUrl'])(
		'rejects a credential if the expression of its %s returns nothing',
		async (field) => {
			const broken = { ...bench.v2(), [field]: '={{ $json.none }}' };
			const { error } = await bench.run(
				{ resource: 'company', operation: 'getAll' },
				{ credential: broken },
			);
			expect(error?.message).toMatch(/^The expression of '(API Key|Base URL)' in the credential/);
			expect(error?.description).toMatch(/^Fill in the value that it reads for this item/);
		},
	);

	test('sends each item to the v1 or v2 path, depending on the kind of its key', async () => {
		const mixed = {
			baseUrl: bench.sandbox.url,
			apiVersion: byTenant('v2', 'v1'),
			apiKey: v2Full,
			accessToken: v1AllScopes,
		};
		const whoAmI = { resource: 'workspace', operation: 'whoAmI' };
		await bench.run(whoAmI, { items, credential: mixed });
		expect(bench.sandbox.requests.map(({ path }) => path)).toEqual([
			'/v2/public/auth/whoami',
			'/v1/public/auth/whoami',
			'/v2/public/auth/whoami',
		]);
		const list = { resource: 'company', operation: 'getAll' };
		const run = await bench.run(list, { items, credential: mixed, onError: 'continueErrorOutput' });
		expect(run.outputs[1]).toHaveLength(1);
	});
});

describe('keys of several tenants in errors, hints and logs', () => {
	const keys = `one key ${v2Full} another ${v2Regular}`;
	const entered = '={{ $json.keys }}';
	const held = [{ syncName: entered }, { requests: { values: { timeout: entered } } }];

	test.each(everyOperation.filter(({ name }) => /Query|Enrich|Get Changes|Who/.test(name)))(
		'hides keys that the service repeats or that an option contains: $title',
		async ({ parameters }) => {
			for (const options of held) {
				bench.sandbox.addFault({ status: 404, body: { message: keys }, times: Infinity });
				const dataTables = new TableInMemory();
				const run = await runNode({
					parameters: { ...parameters, options },
					credential: credential(),
					items: items.map((item) => ({ ...item, keys })),
					onError,
					dataTables,
				});
				expect(JSON.stringify(run)).toContain('[hidden]');
				// The data table in which Sync stores its progress must contain no key either.
				expectClean([written(run), dataTables.rows], [v2Full, v2Regular]);
			}
		},
	);
});
