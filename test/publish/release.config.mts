// Settings of release-it, which `npm run release` (`n8n-node release`) runs on a maintainer's machine. package.json
// names this file. What n8n's command sets by itself (branch main, everything committed, lint and build first, tag,
// push, nothing sent to npm) is not repeated here.
import { readFileSync } from 'node:fs';
import { releaseNotes } from './changelog.mts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const notes = notesOrEnd();

export default {
	// Not a choice at the terminal: the version is what package.json says, as it was
	// reviewed and committed together with the changelog.
	increment: version,
	npm: { allowSameVersion: true },
	github: { releaseNotes: () => notes },
};

/** release-it would replace the error by "Invalid configuration file". */
function notesOrEnd(): string {
	try {
		return releaseNotes(version);
	} catch (error) {
		console.error((error as Error).message);
		process.exit(1);
	}
}
