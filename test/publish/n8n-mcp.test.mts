import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { WorkspaceData } from '../../nodes/WorkspaceData/WorkspaceData.node.ts';
import { WorkspaceDataTrigger } from '../../nodes/WorkspaceDataTrigger/WorkspaceDataTrigger.node.ts';
import { runNpm } from '../n8n/commands.mts';
import { readExamples } from '../n8n/imports.mts';
import { everyOperation } from '../samples.mts';

/** Type for the modules of n8n-mcp, which has no types of its own. AI assistants check workflows with n8n-mcp. */
type Untyped = (new (...given: unknown[]) => Untyped) &
	((...given: unknown[]) => Untyped) & { [name: string]: Untyped };

const { name: packageName } = manifest;
const typeOf = (node: typeof WorkspaceData | typeof WorkspaceDataTrigger): string =>
	`${packageName}.${new node().description.name}`;

/** Installs n8n-mcp in a new folder, and registers the two nodes of this package in it. */
async function startValidator() {
	const folder = await mkdtemp(path.join(tmpdir(), 'n8n-mcp-'));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	await cp('test/publish/n8n-mcp', folder, { recursive: true });
	const install = ['ci', '--ignore-scripts', '--omit=optional', '--legacy-peer-deps'];
	await runNpm({ arguments: install, folder, purpose: 'Installing n8n-mcp' });
	// Switch off the telemetry of n8n-mcp.
	Object.assign(process.env, { N8N_MCP_TELEMETRY_DISABLED: 'true', LOG_LEVEL: 'error' });
	const inside = path.join(folder, 'node_modules/n8n-mcp');
	const part = (file: string): Untyped =>
		createRequire(inside)(`${inside}/dist/${file}.js`) as Untyped;
	const { createSQLJSAdapter } = part('database/database-adapter');
	const database = await createSQLJSAdapter(`${inside}/data/nodes.db`);
	// Remove the database triggers, because they update a full-text search that this build of SQLite lacks.
	const triggers = database.prepare("select name from sqlite_master where type = 'trigger'").all();
	for (const { name } of triggers as unknown as Array<{ name: string }>)
		database.exec(`drop trigger ${name}`);
	const repository = new (part('database/node-repository').NodeRepository)(database);
	const parser = new (part('parsers/node-parser').NodeParser)();
	for (const node of [WorkspaceData, WorkspaceDataTrigger])
		repository.saveNode(Object.assign(parser.parse(node, packageName), { nodeType: typeOf(node) }));
	const { EnhancedConfigValidator } = part('services/enhanced-config-validator');
	const { WorkflowValidator } = part('services/workflow-validator');
	return new WorkflowValidator(repository, EnhancedConfigValidator);
}

/** Returns a workflow with a trigger and a Workspace Data node with these parameters. */
function workflowOf({ objectType, ...others }: Record<string, unknown>): object {
	// Convert the object type, which is a string in the samples and an object in workflows of the editor.
	const locator = { objectType: { __rl: true, mode: 'name', value: objectType ?? 'company' } };
	const nodes = [
		{ name: 'Start', type: typeOf(WorkspaceDataTrigger), parameters: {} },
		{ name: 'Node', type: typeOf(WorkspaceData), parameters: { ...others, ...locator } },
	].map((node) => ({ ...node, id: node.name, typeVersion: 1, position: [0, 0] }));
	return { nodes, connections: { Start: { main: [[{ node: 'Node', type: 'main', index: 0 }]] } } };
}

test('passes the strict check of n8n-mcp with all examples and operations, except for known errors of n8n-mcp', async () => {
	const validator = await startValidator();
	const workflows = Object.entries<object>({
		...(await readExamples()),
		...Object.fromEntries(everyOperation.map((one) => [one.name, workflowOf(one.parameters)])),
		'an operation that does not exist': workflowOf({ resource: 'company', operation: 'erase' }),
	});
	const found = workflows.map(async ([name, workflow]) => {
		const { errors } = await validator.validateWorkflow(workflow, { profile: 'strict' });
		return (errors as unknown as Array<Record<string, string>>).map(
			({ nodeName, message }) => `${name}: ${nodeName}: ${message}`,
		);
	});
	expect((await Promise.all(found)).flat()).toEqual([
		// n8n-mcp 2.87 treats the expression of a boolean parameter as a string. It does not check options.
		"enrich-a-spreadsheet: Enrich the company: Property 'previewOnly' must be a boolean, got string",
		// n8n-mcp 2.87 does not know the nodes with which n8n asks a person for approval.
		expect.stringContaining(
			'Ask for approval: Unknown node type: "n8n-nodes-base.emailSendHitlTool"',
		),
		expect.stringMatching(/^an operation that does not exist: Node: Invalid value for 'operation'/),
	]);
});
