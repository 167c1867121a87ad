/** Requests per Minute in a real n8n: over the runs of a node in a loop, beside an export, and over the tries of Retry On Fail. */
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { sandboxCredentials } from '../sandbox/server.mts';
import { credentialFile } from './imports.mts';
import { useLab } from './lab.mts';
import { itemsOf, type Execution } from './rest.mts';
import { companiesNamed } from './service.mts';
import {
	chain,
	companiesNode,
	dataNode,
	enrichNode,
	items,
	loopOver,
	manualTrigger,
} from './workflows.mts';

const bound = 3;
const options = { requests: { values: { retryFor: 0, maxRequestsPerMinute: bound } } };
const domains = companiesNamed('loop', 5);
/** A key of its own, so that both workflows wait for their turns at the same time. */
const otherKey = { id: 'keyOfTries', name: 'Key of the tries' };

const workflows = {
	export: chain('An export', [
		manualTrigger(),
		companiesNode({ pagination: { values: { pageSize: 1 } } }),
	]),
	loop: loopOver(
		'In a loop',
		[manualTrigger(), items(domains)],
		[enrichNode(options, { name: 'Enrich' })],
	),
	tries: chain('Over tries', [
		manualTrigger(),
		dataNode(
			{ resource: 'company', operation: 'getAll', returnAll: true, options },
			{
				name: 'List',
				credentials: { workspaceDataApi: otherKey },
				retryOnFail: true,
				maxTries: 5,
				waitBetweenTries: 1,
			},
		),
	]),
};

const lab = useLab({
	name: 'requests-per-minute',
	sandbox: { companies: 10 },
	credentials: (baseUrl) => [
		credentialFile(otherKey.id, otherKey.name, { baseUrl, apiKey: sandboxCredentials.v2Regular }),
	],
	workflows: () => Object.values(workflows),
});

let loop: Execution;
let tries: Execution;
/** How long the loop waited after an export with its key that has no bound, in ms. */
let afterExportMs: number;
/** When requests arrived, in ms since the first one, of each workflow's key. */
let arrivals: Record<'v2-full' | 'v2-regular', number[]>;

// Both wait for a minute, so they run together, and each test looks at one of them.
beforeAll(async () => {
	await lab.succeed(workflows.export);
	const exported = lab.sandbox.requests.map(({ at }) => at);
	expect(exported).toHaveLength(10);
	lab.sandbox.clearRequests();
	lab.sandbox.addFault({ path: '/v2/public/companies', status: 500, times: 4 });
	[loop, tries] = await Promise.all([lab.succeed(workflows.loop), lab.succeed(workflows.tries)]);
	const of = (key: string): number[] => {
		const times = lab.sandbox.requests.filter(({ credential }) => credential === key);
		return times.map(({ at }) => at - (times[0]?.at ?? 0));
	};
	afterExportMs =
		Number(lab.sandbox.requests.find(({ path }) => path.includes('enrich'))?.at) - exported[0];
	arrivals = { 'v2-full': of('v2-full'), 'v2-regular': of('v2-regular') };
});

const inFirstMinute = (times: number[]): number => times.filter((ms) => ms < 60_000).length;

test('in a loop, no more requests start within a minute than the option allows, and every item is enriched', () => {
	expect(loop.runs.Enrich).toHaveLength(domains.length);
	expect(arrivals['v2-full']).toHaveLength(domains.length);
	expect(inFirstMinute(arrivals['v2-full'])).toBe(bound);
});

test('an export with the same key and no bound leaves the loop its own requests', () => {
	expect(afterExportMs).toBeLessThan(50_000);
});

test("what the loop waits for is in n8n's log", async () => {
	const log = await readFile(lab.n8n.server.logFile, 'utf8');
	expect(log).toMatch(/Workspace Data: waiting .* for 'Requests per Minute'/);
});

test('over the tries of Retry On Fail, no more requests start within a minute than the option allows', () => {
	expect(itemsOf(tries, 'List')).toHaveLength(10);
	expect(arrivals['v2-regular']).toHaveLength(5);
	expect(inFirstMinute(arrivals['v2-regular'])).toBe(bound);
});
