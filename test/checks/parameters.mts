import type { INodeProperties } from 'n8n-workflow';

import { WorkspaceDataApi } from '../../credentials/WorkspaceDataApi.credentials.ts';
import { WorkspaceData } from '../../nodes/WorkspaceData/WorkspaceData.node.ts';
import { WorkspaceDataTrigger } from '../../nodes/WorkspaceDataTrigger/WorkspaceDataTrigger.node.ts';

/** Members of a parameter that contain text for users. They are in the snapshot texts.md, not in parameters.md. */
const WORDS = ['name', 'displayName', 'description', 'hint', 'placeholder', 'action'];
type Shown = Partial<INodeProperties> & { name: string; value?: unknown; values?: Shown[] };

/** Returns the snapshot parameters.md: everything in a parameter that a saved workflow can depend on. */
export function parametersPage(): string {
	const { description: node } = new WorkspaceData();
	const { description: trigger } = new WorkspaceDataTrigger();
	const parts = [node, trigger, new WorkspaceDataApi()].map(
		({ displayName, properties }) =>
			`## ${displayName}\n\n\`\`\`text\n${linesOf(properties).join('\n')}\n\`\`\``,
	);
	return `# Parameters

<!-- Written by \`npm run generate\`; changes made by hand are lost. -->

All parameters and choices, with the conditions that show them. Saved workflows store these names: after a release, lines are only added.

${parts.join('\n\n')}
`;
}

function linesOf(list: readonly Shown[], before = ''): string[] {
	return list.flatMap(({ options = [], modes = [], values = [], ...one }) => {
		const name = `${before}${String(one.value ?? one.name)}`;
		const rest = Object.entries(one).filter(([key]) => ![...WORDS, 'value'].includes(key));
		const inside = linesOf([...options, ...modes, ...values] as Shown[], `${name}.`);
		return [`${name} ${JSON.stringify(Object.fromEntries(rest))}`, ...inside];
	});
}
