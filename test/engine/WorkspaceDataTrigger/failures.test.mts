import { describe, expect, it } from 'vitest';
import { idsHeld } from '../../n8n/service.mts';
import { useSandbox } from '../harness/support.mts';
import { companyTrigger, idsOf, messagesOf, startedTrigger } from '../harness/trigger-poller.mts';

const COMPANIES = 2_503;
const bench = useSandbox({ companies: COMPANIES, deals: 0, orders: 40 });

const trigger = companyTrigger(bench);
const started = startedTrigger(bench);
const allIds = (): string[] => idsHeld(bench.sandbox);

describe('errors of the trigger', () => {
	it('rejects a v1 access token without sending a request', async () => {
		const poller = await trigger({}, 'memory', bench.v1());
		await expect(poller.poll()).rejects.toThrow(
			'Workspace Data Trigger needs a developer API key (v2), but the credential holds a developer access token (v1)',
		);
		expect(bench.sandbox.requests).toEqual([]);
	});

	const atLeast = 'must be a whole number of at least';
	const NO_PAGE_SIZE = `'Page Size' ${atLeast} 0 and at most 1000`;
	const NO_NAMES = "'Fields' must be names separated by commas, or a list of names";
	it.each([
		[{ objectType: '  ' }, "'Object Type' is empty"],
		[{ event: 'recordDeleted' }, "'Trigger On' has a value that does not exist"],
		[{ startFrom: 'yesterday' }, "'Start From' has a value that does not exist"],
		[{ options: { pagination: { values: { pageSize: -1 } } } }, NO_PAGE_SIZE],
		[{ options: { pagination: { values: { pageSize: 1_001 } } } }, NO_PAGE_SIZE],
		[{ options: { maxRecordsPerPoll: 2.5 } }, `'Limit' ${atLeast} 1`],
		[{ options: { overlapSeconds: -1 } }, `'Lookback Window' ${atLeast} 0`],
		[{ options: { fields: [1] } }, NO_NAMES],
	])('rejects %j without sending a request', async (parameters, message) => {
		const poller = await trigger(parameters);
		await expect(poller.poll()).rejects.toMatchObject({ name: 'NodeOperationError', message });
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('names Object Type in the error if the object type does not exist', async () => {
		await expect((await trigger({ objectType: 'unicorn' })).poll()).rejects.toMatchObject({
			httpCode: '404',
			description: expect.stringContaining('Object Type'),
		});
	});

	it.each(['nonsense', { version: 99 }])(
		'reports the unreadable saved progress %j, and works again after the user sets Start Over',
		async (stored) => {
			const poller = await trigger();
			poller.stored = stored;
			for (let polls = 0; polls < 2; polls++) {
				await expect(poller.poll()).rejects.toMatchObject({
					message: 'The saved progress of this trigger cannot be read',
					description: expect.stringContaining("enter a new text in 'Start Over'"),
				});
			}
			expect(poller.stored).toEqual(stored);
			const again = poller.edited({ parameters: { options: { startOver: 'again' } } });
			const { items, logs } = await again.poll();
			expect(items).toBeNull();
			expect(messagesOf(logs)).toContain('Starting over');
			bench.sandbox.update('company', allIds().slice(0, 2));
			expect((await again.poll()).items).toHaveLength(2);
		},
	);
});

describe('Fetch Test Event', () => {
	it('returns the ten oldest records for Fetch Test Event with one request, and stores nothing', async () => {
		const poller = await started();
		const before = structuredClone(poller.stored);
		const created = bench.sandbox.create('company', 2);
		bench.sandbox.clearRequests();
		const { items } = await poller.poll({ mode: 'manual' });
		const oldest = [...bench.sandbox.records('company')]
			.toSorted((one, other) => String(one.updated_at).localeCompare(String(other.updated_at)))
			.slice(0, 10)
			.map(({ id }) => String(id));
		expect(idsOf(items).toSorted()).toEqual(oldest.toSorted());
		expect(bench.sandbox.requests).toHaveLength(1);
		expect(poller.stored).toEqual(before);
		expect(idsOf((await poller.poll()).items)).toEqual(created);
	});

	it('returns records for Fetch Test Event even if the service first returns empty pages and rejects small pages', async () => {
		const poller = await trigger();
		bench.sandbox.setQuirks({ emptyPages: { count: 2, at: 0 }, rejectPageSizeBelow: 20 });
		expect((await poller.poll({ mode: 'manual' })).items).toHaveLength(10);
	});

	it('reports for Fetch Test Event that the workspace has no record of the chosen object type', async () => {
		const poller = await trigger({ objectType: 'deal' });
		await expect(poller.poll({ mode: 'manual' })).rejects.toMatchObject({
			message: 'Create a record first: the workspace has no records of the type "deal"',
			description: expect.stringContaining('Create a record and fetch again'),
		});
	});
});
