/**
 * Tests groups of options, such as Pagination. When a user adds a group, n8n fills in the defaults of all its members.
 * A group that is left at its defaults must not change a request.
 */
import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';
import { properties } from '../../../nodes/WorkspaceData/node-properties.ts';
import { properties as triggerProperties } from '../../../nodes/WorkspaceDataTrigger/trigger-properties.ts';
import { DataTables } from '../../data-tables.mts';
import { everyOperation, type SampleCase } from '../../samples.mts';
import { useSandbox } from '../harness/support.mts';
import { companyTrigger } from '../harness/trigger-poller.mts';

const bench = useSandbox({ companies: 250, orders: 250, items: 250, deals: 250 });
const trigger = companyTrigger(bench);
type Json = Record<string, unknown>;

/** Returns the groups among the options of a panel, for the chosen resource and operation. */
function groupsOf(panel: readonly INodeProperties[], chosen: Json = {}): INodeProperties[] {
	const isOf = (name: string, { displayOptions }: INodeProperties): boolean =>
		displayOptions?.show?.[name]?.includes(chosen[name] as string) ?? true;
	const options = panel
		.filter((one) => one.name === 'options' && isOf('resource', one) && isOf('operation', one))
		.flatMap((one) => one.options as INodeProperties[]);
	return options.filter(({ type, typeOptions }) => {
		return type === 'fixedCollection' && typeOptions?.multipleValues !== true;
	});
}

/** Returns both forms in which n8n stores a group with defaults: with all values, or without any value. */
const added = (group: INodeProperties): Json[] =>
	[group.default, { values: {} }].map((value) => ({ [group.name]: value }));

async function requestsOf({ chosen, parameters }: SampleCase, options: Json) {
	bench.sandbox.clearRequests();
	const own = { ...chosen, ...parameters, options };
	await bench.run(own, { dataTables: new DataTables() });
	return bench.sandbox.requests.map(({ method, path, query, body }) => {
		return { method, path, query, body };
	});
}

const withRequest = everyOperation.filter(({ requests }) => requests.v2 !== undefined);

describe('a group of options that is left at its defaults', () => {
	test.each(withRequest)(
		'sends unchanged requests for $title if an option group has its defaults',
		async (sample) => {
			const groups = groupsOf(properties, sample.chosen);
			expect(groups.map(({ name }) => name)).toContain('requests');
			const plain = await requestsOf(sample, {});
			expect(plain.length, 'requests').toBeGreaterThan(0);
			for (const options of groups.flatMap(added)) {
				expect(await requestsOf(sample, options), JSON.stringify(options)).toEqual(plain);
			}
		},
	);

	test('sends unchanged requests of the trigger if an option group has its defaults', async () => {
		const requestsWith = async (options: Json): Promise<unknown[]> => {
			bench.sandbox.clearRequests();
			const poller = await trigger({ startFrom: 'beginning', options });
			await poller.poll();
			return bench.sandbox.requests.map(({ body }) => body);
		};
		const plain = await requestsWith({});
		for (const options of groupsOf(triggerProperties).flatMap(added)) {
			expect(await requestsWith(options), JSON.stringify(options)).toEqual(plain);
		}
	});
});

test('has a default for every member of a group of options, and sorts the members by name', () => {
	const groups = [...groupsOf(triggerProperties), ...properties.flatMap((one) => groupsOf([one]))];
	for (const { displayName, options = [] } of groups) {
		const [{ values }] = options as INodePropertyCollection[];
		expect(
			values.every((member) => member.default !== undefined),
			displayName,
		).toBe(true);
		const names = values.map((member) => member.displayName);
		expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other)));
	}
});
