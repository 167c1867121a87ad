import { expect, test } from 'vitest';
import { useLab } from './lab.mts';
import { itemsOf } from './rest.mts';
import { chain, dataNode, manualTrigger } from './workflows.mts';

const companies = 2_503;
const minute = 60_000;
const workflow = chain('Rate limited export', [
	manualTrigger(),
	dataNode({
		resource: 'company',
		operation: 'getAll',
		returnAll: true,
		outputAs: 'ndjson',
		options: { pageSize: 100, recordsPerFile: 500 },
	}),
]);

const lab = useLab({
	name: 'rate-limited',
	sandbox: { companies },
	workflows: () => [workflow],
});

test(
	'an export that is refused for a minute waits and holds each record once',
	async () => {
		const path = '/v2/public/companies';
		lab.sandbox.addFault({ path, skip: 22, status: 429, headers: { 'retry-after': '60' } });
		const started = Date.now();
		const execution = await lab.succeed(workflow);

		expect(Date.now() - started).toBeGreaterThan(minute);
		const ids: unknown[] = [];
		for (const { binary } of itemsOf(execution, 'Workspace Data')) {
			const response = await lab.client.readFile(binary?.data.id ?? '');
			const lines = (await response.text()).trimEnd().split('\n');
			ids.push(...lines.map((line) => (JSON.parse(line) as { id: unknown }).id));
		}
		expect(ids).toHaveLength(companies);
		expect(new Set(ids).size).toBe(companies);
		expect(lab.sandbox.requests.filter(({ status }) => status === 429)).toHaveLength(1);
	},
	5 * minute,
);
