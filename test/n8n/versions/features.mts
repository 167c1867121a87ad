import { setTimeout as wait } from 'node:timers/promises';
import { itemsOf } from '../rest.mts';
import type { Execution } from '../rest.mts';
import { hintOf } from '../sync-workflows.mts';
import { nodeName, orders, otherKindId, runFeature, workflowOf, type Feature } from './feature.mts';

const orderList = { resource: 'order', operation: 'getAll' };
const enrichment = {
	resource: 'company',
	operation: 'enrich',
	fields: {
		assignments: [{ id: '1', name: 'domain', type: 'string', value: 'acme.example' }],
	},
};

function countIs(expected: number): (execution: Execution) => string | undefined {
	return (execution) => {
		const ids = new Set(itemsOf(execution, nodeName).map(({ json }) => json.id));
		return ids.size === expected ? undefined : `${ids.size} records`;
	};
}

const credentialTest: Feature = {
	name: 'Credential test: a good key passes, a refused one fails',
	attempt: async ({ client, sandbox, credentialId }) => {
		const good = await client.testCredential(credentialId);
		if (good.status !== 'OK') return good.message;
		sandbox.addFault({ status: 403 });
		const { status } = await client.testCredential(credentialId);
		return status === 'Error' ? undefined : 'a refused key passes';
	},
};

const credentialWords: Feature = {
	name: 'Credential test: says what to do',
	mayDiffer: true,
	attempt: async ({ client, sandbox, credentialId }) => {
		sandbox.addFault({ status: 403 });
		const { message } = await client.testCredential(credentialId);
		return message.includes('recognizes this key or token but refuses it')
			? undefined
			: `n8n's own words ("${message}")`;
	},
};

const wrongKind = workflowOf(
	'Wrong version',
	{ resource: 'workspace', operation: 'whoAmI' },
	{ credentials: { workspaceDataApi: { id: otherKindId, name: otherKindId } } },
);
const credentialOfOtherKind: Feature = {
	name: 'Credential: a key with the wrong API Version is told to check it',
	workflow: wrongKind,
	attempt: async ({ run }) => {
		const { status, error } = await run(wrongKind);
		const isNamed = error?.message === 'Key or token not recognized';
		return isNamed ? undefined : `${status}: ${error?.message}`;
	},
};

const waiting = workflowOf('Cancel', { ...orderList, options: { pageSize: 10 } });
const cancel: Feature = {
	name: 'Cancel in the middle of a wait',
	workflow: waiting,
	attempt: async ({ client, sandbox, start }) => {
		sandbox.addFault({ times: Infinity, status: 429, headers: { 'retry-after': '5' } });
		const executionId = await start(waiting);
		while (sandbox.requests.length === 0) await wait(20);
		await client.request('POST', `/executions/${executionId}/stop`);
		await wait(6_000);
		if (sandbox.requests.length > 1) return 'a request after the cancel';
		const { status } = await client.waitForExecution(executionId, 5_000);
		return status === 'canceled' ? undefined : status;
	},
};

const hint = runFeature(
	'Hint after more than 50,000 items',
	workflowOf('Hints', {
		resource: 'company',
		operation: 'getAll',
		returnAll: true,
		options: { pageSize: 10_000, fields: 'id' },
	}),
	(execution) => (hintOf(execution, nodeName) === '[]' ? 'not shown' : undefined),
);

const prospectHint = runFeature(
	'Hint of Prospect: how many there are and how to ask for more',
	workflowOf('Prospect', {
		resource: 'company',
		operation: 'prospect',
		fields: { assignments: [{ id: '1', name: 'limit', type: 'number', value: 5 }] },
	}),
	(execution) =>
		hintOf(execution, nodeName).includes('found 25 results, of which 5 came out')
			? undefined
			: 'not shown',
	(sandbox) => sandbox.setUnkind({ prospectTotal: 25 }),
);

/** What does not depend on how the panel asks. */
export const features: Feature[] = [
	credentialTest,
	credentialWords,
	credentialOfOtherKind,
	runFeature(
		'List: everything, over several pages',
		workflowOf('List', { ...orderList, returnAll: true, options: { pageSize: 500 } }),
		countIs(orders),
	),
	runFeature(
		'Limit: exactly so many records',
		workflowOf('Limit', { ...orderList, limit: 137, options: { pageSize: 50 } }),
		countIs(137),
	),
	runFeature('Call: enrich a company', workflowOf('Call', enrichment), (execution, { sandbox }) =>
		itemsOf(execution, nodeName)[0]?.json.domain === 'acme.example' &&
		sandbox.calls.enrich.length === 1
			? undefined
			: 'wrong result',
	),
	hint,
	prospectHint,
	cancel,
];
