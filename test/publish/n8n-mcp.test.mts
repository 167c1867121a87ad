import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WorkspaceData } from '../../nodes/WorkspaceData/WorkspaceData.node.ts';
import { WorkspaceDataTrigger } from '../../nodes/WorkspaceDataTrigger/WorkspaceDataTrigger.node.ts';
import { runNpm } from '../n8n/commands.mts';
import { readExamples } from '../n8n/imports.mts';
import { repositoryFolder } from '../n8n/paths.mts';
import { everyOperation, sampleCases } from '../samples.mts';
import { readJson, type Manifest } from './project.mts';

/** What is used of n8n-mcp, a program by which assistants build and check workflows. */
interface N8nMcp {
	createSQLJSAdapter(file: string): Promise<{
		exec(sql: string): void;
		prepare(sql: string): { all(): Array<{ name: string }> };
	}>;
	NodeRepository: new (database: unknown) => { saveNode(node: object): void };
	NodeParser: new () => { parse(nodeClass: unknown, packageName: string): { nodeType: string } };
	WorkflowValidator: new (
		repository: unknown,
		validator: unknown,
	) => {
		validateWorkflow(
			workflow: object,
			options: object,
		): Promise<{
			errors: Array<{ nodeName?: string; message: string }>;
		}>;
	};
	EnhancedConfigValidator: unknown;
}

const { name: packageName } = await readJson<Manifest>('package.json');
let folder: string;
let errorsOf: (workflow: object) => Promise<string[]>;

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'n8n-mcp-'));
	await cp(path.join(repositoryFolder, 'test/publish/n8n-mcp'), folder, { recursive: true });
	const install = ['ci', '--ignore-scripts', '--omit=optional', '--legacy-peer-deps'];
	await runNpm({ arguments: install, folder, purpose: 'Installing n8n-mcp' });
	// It would report what it is asked to its makers.
	Object.assign(process.env, { N8N_MCP_TELEMETRY_DISABLED: 'true', LOG_LEVEL: 'error' });
	const require = createRequire(path.join(folder, 'package.json'));
	const files = ['database/database-adapter', 'database/node-repository', 'parsers/node-parser'];
	files.push('services/workflow-validator', 'services/enhanced-config-validator');
	const inside = path.join(folder, 'node_modules/n8n-mcp');
	const mcp = Object.assign(
		{},
		...files.map((file) => require(path.join(inside, 'dist', `${file}.js`)) as object),
	) as N8nMcp;
	const database = await mcp.createSQLJSAdapter(path.join(inside, 'data/nodes.db'));
	// They keep its full-text search up to date, which this build of SQLite has not.
	const triggers = database.prepare("select name from sqlite_master where type = 'trigger'").all();
	for (const { name } of triggers) database.exec(`drop trigger ${name}`);
	const repository = new mcp.NodeRepository(database);
	for (const nodeClass of [WorkspaceData, WorkspaceDataTrigger]) {
		const node = new mcp.NodeParser().parse(nodeClass, packageName);
		const nodeType = `${packageName}.${new nodeClass().description.name}`;
		repository.saveNode({ ...node, nodeType });
	}
	const validator = new mcp.WorkflowValidator(repository, mcp.EnhancedConfigValidator);
	errorsOf = async (workflow) => {
		const { errors } = await validator.validateWorkflow(workflow, { profile: 'strict' });
		return errors.map(({ nodeName, message }) => `${nodeName}: ${message.split('.', 2).join('.')}`);
	};
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What n8n-mcp 2.87 gets wrong: it does not know the nodes by which n8n asks a person. */
const unknown: Record<string, string[]> = {
	'prospect-after-approval-by-mail': [
		'Ask for approval: Unknown node type: "n8n-nodes-base.emailSendHitlTool"',
	],
};

test('n8n-mcp finds nothing wrong in any example', async () => {
	const found = Object.entries(await readExamples()).map(
		async ([name, workflow]) => [name, await errorsOf(workflow)] as const,
	);
	const wrong = (await Promise.all(found)).filter(([, errors]) => errors.length > 0);
	expect(Object.fromEntries(wrong)).toEqual(unknown);
});

/** Samples have the object type as expressions give it: as text. The editor stores an object. */
const whole = ({ objectType }: { objectType?: unknown }): object =>
	objectType === undefined ? {} : { objectType: { __rl: true, mode: 'name', value: objectType } };

test('n8n-mcp finds nothing wrong in both nodes with the parameters of every sample', async () => {
	const given = [...new Set([...everyOperation, ...sampleCases])];
	const nodes = [
		{ name: 'Trigger', type: 'workspaceDataTrigger', parameters: {} },
		...given.map(({ name, parameters }) => ({ name, type: 'workspaceData', parameters })),
	].map(({ name, type, parameters }, place) => ({
		...{ id: String(place), name, type: `${packageName}.${type}`, typeVersion: 1 },
		position: [place * 200, 0],
		parameters: { ...parameters, ...whole(parameters) },
	}));
	const next = nodes.slice(1).map(({ name }) => ({ node: name, type: 'main', index: 0 }));
	expect(await errorsOf({ nodes, connections: { Trigger: { main: [next] } } })).toEqual([]);
	nodes[1].parameters = { resource: 'nothing' };
	expect(await errorsOf({ nodes, connections: {} })).not.toEqual([]);
});
