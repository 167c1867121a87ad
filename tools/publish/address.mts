import { trackedTexts } from './project.mts';
import type { Check, Finding } from './project.mts';

/** An address at a top-level domain that nobody can register (RFC 2606). */
export const reservedDomain = /[\w.-]+\.example(?![\w.-])/;

/** Where the project will be public: until then, every file that names it has this host. */
export const placeholder = 'n8n-nodes-workspace-data.example';

/** Every place that names the project's address has a real one. */
export const addressChecks: Check[] = [
	{ name: 'The address is filled in everywhere', find: findPlaceholders },
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
