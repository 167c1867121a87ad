import { ESLint } from 'eslint';
import { expect, test, vi } from 'vitest';

import { WorkspaceDataApi } from '../../credentials/WorkspaceDataApi.credentials.ts';
import { WorkspaceData } from '../../nodes/WorkspaceData/WorkspaceData.node.ts';
import { WARNING } from '../../nodes/WorkspaceData/operation-row.ts';
import { WorkspaceDataTrigger } from '../../nodes/WorkspaceDataTrigger/WorkspaceDataTrigger.node.ts';
import { root } from './imports.mts';

/** Returns a value as source code that n8n's lint rules can read: member names without quotes, and constants of n8n. */
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
const panels = [
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

/** Removes texts such as "(may be billed)" from the actions, because n8n's lint rules reject parentheses there. */
function withoutWarnings(code: string): string {
	return Object.values(WARNING).reduce(
		(text, warning) => (warning === '' ? text : text.replaceAll(`${warning}",`, '",')),
		code,
	);
}

/** Allowed lint findings, by lint rule: the workspace code is a password field, because it is a secret. */
const ALLOWED_FINDINGS: Record<string, string[]> = {
	'@n8n/community-nodes/credential-unnecessary-password': ['name: "workspaceCode",'],
};

// n8n's lint rules read only literals, but the shipped panels are computed. So each panel is written out as literals.
test.each(panels)(
	"passes n8n's lint rules with the panel of $file, written out as literals",
	async ({ file, code }) => {
		// n8n's lint rules read NODE_ENV when they are loaded, and check less if it is "test".
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
		const isAllowed = ([rule, line]: (typeof found)[number]): boolean =>
			ALLOWED_FINDINGS[rule ?? '']?.includes(line) === true;
		expect(found.filter((finding) => !isAllowed(finding))).toEqual([]);
	},
);
