import { ESLint } from 'eslint';
import { expect, test, vi } from 'vitest';

import { WorkspaceDataApi } from '../../credentials/WorkspaceDataApi.credentials.ts';
import { WorkspaceData } from '../../nodes/WorkspaceData/WorkspaceData.node.ts';
import { WARNING } from '../../nodes/WorkspaceData/operation-row.ts';
import { WorkspaceDataTrigger } from '../../nodes/WorkspaceDataTrigger/WorkspaceDataTrigger.node.ts';
import { root } from './imports.mts';

/** n8n's rules look for names of members without quotes, and for its constants. */
function writtenOut(value: unknown): string {
	const code = JSON.stringify(value, null, '\t').replace(/^(\t*)"(\w+)":/gm, '$1$2:');
	return code.replace(/^(\t+(?:in|out)puts: \[)\s*"main"\s*\]/gm, '$1NodeConnectionTypes.Main]');
}

const nodeOf = ({ description, constructor: { name } }: WorkspaceData | WorkspaceDataTrigger) => ({
	file: `nodes/${name}/${name}.node.ts`,
	code: `import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

export class ${name} implements INodeType {
	description: INodeTypeDescription = ${writtenOut(description)};
}
`,
});

const {
	name,
	displayName,
	documentationUrl,
	icon,
	properties,
	test: request,
} = new WorkspaceDataApi();
const written = [
	nodeOf(new WorkspaceData()),
	nodeOf(new WorkspaceDataTrigger()),
	{
		file: 'credentials/WorkspaceDataApi.credentials.ts',
		code: `import type { ICredentialTestRequest, ICredentialType, INodeProperties, Icon } from 'n8n-workflow';

export class WorkspaceDataApi implements ICredentialType {
	name = '${name}';
	displayName = '${displayName}';
	documentationUrl = '${documentationUrl}';
	icon: Icon = ${writtenOut(icon)};
	properties: INodeProperties[] = ${writtenOut(properties)};
	test: ICredentialTestRequest = ${writtenOut(request)};
}
`,
	},
];

/** No rule knows sentences with parentheses: what stands before a warning is looked at without it. */
function withoutWarnings(code: string): string {
	return Object.values(WARNING).reduce(
		(text, warning) => (warning === '' ? text : text.replaceAll(`${warning}",`, '",')),
		code,
	);
}

/** Findings that stay, by rule: a code that is secret. */
const excepted: Record<string, string[]> = {
	'@n8n/community-nodes/credential-unnecessary-password': ['name: "workspaceCode",'],
};

// n8n's rules see literals, and what ships is made from tables.
test.each(written)(
	'$file passes the rules of n8n-node lint, its panel written out',
	async ({ file, code }) => {
		// The rules behave differently where this is "test", and look at it when they are loaded.
		vi.stubEnv('NODE_ENV', undefined);
		const { config } = await import('@n8n/node-cli/eslint');
		const settings = { cwd: root, overrideConfigFile: true, overrideConfig: config } as object;
		const [{ messages }] = await new ESLint(settings).lintText(withoutWarnings(code), {
			filePath: `${root}${file}`,
		});
		vi.unstubAllEnvs();
		const lines = withoutWarnings(code).split('\n');
		const found = messages.map(({ ruleId, line: from, endLine = from }) => {
			const part = lines.slice(from - 1, endLine).map((line) => line.trim());
			return [ruleId, part.find((line) => line.startsWith('name:')) ?? part[0]] as const;
		});
		const isExcepted = ([rule, line]: (typeof found)[number]): boolean =>
			excepted[rule ?? '']?.includes(line) === true;
		expect(found.filter((one) => !isExcepted(one))).toEqual([]);
	},
);
