import manifest from '../../package.json' with { type: 'json' };
import { trackedTexts } from './project.mts';
import type { Check, Finding } from './project.mts';

/** Matches a host with the top-level domain `.example`, which cannot be registered (RFC 2606). */
export const reservedDomain = /[\w.-]+\.example(?![\w.-])/;

/** Placeholder host in the project's web and email addresses, until the project is public. */
export const placeholder = 'n8n-nodes-workspace-data.example';

/** Checks that the placeholder address is replaced in all files, and that links to files open. */
export const addressChecks: Check[] = [
	{ name: 'The address is filled in everywhere', find: findPlaceholders },
	{ name: 'Links to files of the repository open on GitHub', find: findClosedLinks },
];

async function findPlaceholders(): Promise<Finding[]> {
	const texts = await trackedTexts(':!tools/publish');
	return texts.flatMap(([file, text]) =>
		text.split('\n').flatMap((line, index) => {
			if (!line.includes(placeholder)) return [];
			const shown = line.trim().slice(0, 120);
			return [{ isPlaceholder: true, text: `${file}:${index + 1}: ${shown}` }];
		}),
	);
}

async function findClosedLinks(): Promise<Finding[]> {
	const texts = await trackedTexts();
	const sites = new Set([`https://${placeholder}`, manifest.homepage]);
	const closed = [...sites].flatMap((site) => closedLinks(site, texts));
	return closed.map((text) => ({ text }));
}

/** Returns links to files of the repository that do not open on GitHub. GitHub shows files only under `/blob/`. */
export function closedLinks(site: string, texts: Array<[file: string, text: string]>): string[] {
	const inRepository = new Set(texts.map(([file]) => file.split('/')[0]));
	return texts.flatMap(([file, text]) =>
		text
			.split(`${site}/`)
			.slice(1)
			.map((rest) => /^([\w.-]*)[^\s"'`)]*/.exec(rest))
			.filter((found) => inRepository.has(found?.[1] ?? ''))
			.map((found) => `${file}: ${site}/${found?.[0]}`),
	);
}
