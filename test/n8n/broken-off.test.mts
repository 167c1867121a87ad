import { expect, test } from 'vitest';
import { useLab } from './lab.mts';
import { itemsOf } from './rest.mts';
import { hintOf } from './sync-workflows.mts';
import { chain, dataNode, manualTrigger } from './workflows.mts';

const options = {
	pagination: { values: { pageSize: 100 } },
	requests: { values: { retryFor: 0 } },
};
const list = { resource: 'company', operation: 'getAll', returnAll: true, options };
const broken = ['csv', 'ndjson', 'items'].map((outputAs) =>
	chain(`Breaks off as ${outputAs}`, [
		manualTrigger(),
		dataNode({ ...list, outputAs }, { name: 'Export', onError: 'continueRegularOutput' }),
	]),
);

const lab = useLab({
	name: 'broken-off',
	sandbox: { companies: 1_000 },
	workflows: () => broken,
});

test.each(broken)(
	'$name: the run says after how many records, beside a green tick',
	async (each) => {
		lab.sandbox.addFault({ path: '/v2/public/companies', skip: 2, status: 500, times: Infinity });
		const execution = await lab.succeed(each);
		expect(itemsOf(execution, 'Export').at(-1)?.json).toHaveProperty('error');
		const said = 'The list broke off after 200 records; the last item says why';
		expect(hintOf(execution, 'Export')).toContain(said);
	},
);
