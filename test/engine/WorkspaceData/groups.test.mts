/** Options in groups: n8n fills in all members of a group that was added, so a group that is left alone changes no request. */
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

/** The groups among the options that such a panel offers. */
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

/** As it is stored when it was added: with what the panel shows, or with what differs from the defaults. */
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

describe('a group that was added and left alone changes no request', () => {
	test.each(withRequest)('$title', async (sample) => {
		const groups = groupsOf(properties, sample.chosen);
		expect(groups.map(({ name }) => name)).toContain('requests');
		const plain = await requestsOf(sample, {});
		expect(plain.length, 'requests').toBeGreaterThan(0);
		for (const options of groups.flatMap(added)) {
			expect(await requestsOf(sample, options), JSON.stringify(options)).toEqual(plain);
		}
	});

	test('the trigger', async () => {
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

test('every member of a group has a default, and is in the order of names', () => {
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
