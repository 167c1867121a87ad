import { allFeatures } from './all-features.mts';

/** What was seen, by version and feature: undefined where it works, else what is different. */
export type Results = Record<string, Record<string, string | undefined>>;

/**
 * The results as a Markdown table, one column for each version.
 *
 * @param results by version, oldest first
 */
export function compatibilityTable(results: Results): string {
	const versions = Object.keys(results);
	const rows = allFeatures.map(({ name }) => [
		name,
		...versions.map((version) => cell(results[version], name)),
	]);
	const heads = ['Feature', ...versions.map((version) => `n8n ${version}`)];
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

const mostCharacters = 80;

function cell(seen: Record<string, string | undefined>, name: string): string {
	if (!(name in seen)) return 'not tried';
	if (seen[name] === undefined) return 'works';
	const text = `differs: ${seen[name]}`.replaceAll(/[\s|]+/g, ' ');
	return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters)}…`;
}

/**
 * The page docs/compatibility.md.
 *
 * @param results by version, oldest first
 */
export function compatibilityPage(results: Results): string {
	const [oldest] = Object.keys(results);
	return `# Compatibility

<!-- Written by \`npm run test:versions\`; changes made by hand are lost. -->

The same package file, installed and run in real n8n servers of these versions on Node.js ${process.versions.node.split('.')[0]}, against the [sandbox](../test/sandbox/README.md). The oldest one tried is n8n ${oldest}; n8n's older versions may work but nobody has looked.

${compatibilityTable(results)}

To try it yourself: \`npm run test:versions\`. The first run installs the older versions from the lock files in \`test/n8n/versions/\` (about 1.4 GB and three minutes each); later runs take about two minutes per version, and need Chromium. A version is added by adding a folder with its package.json and lock file.
`;
}
