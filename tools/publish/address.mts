import manifest from '../../package.json' with { type: 'json' };
import { trackedTexts } from './project.mts';
import type { Check, Finding } from './project.mts';

/** An address at a top-level domain that cannot be registered (RFC 2606). */
export const reservedDomain = /[\w.-]+\.example(?![\w.-])/;

/** Host in every file that names the project's address, until the project is public. */
export const placeholder = 'n8n-nodes-workspace-data.example';

/** Checks that every file has the real address of the project, and that links open. */
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

/** Returns links to files of the repository that do not open on GitHub, which shows files under `/blob/` only. */
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
