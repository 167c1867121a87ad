// Settings of release-it, which `npm run release` (`n8n-node release`) runs on a maintainer's machine. package.json
// names this file. What n8n's command sets by itself (branch main, everything committed, lint and build first, tag,
// push, nothing sent to npm) is not repeated here.
import { readFileSync } from 'node:fs';
import { parser as readChangelog } from 'keep-a-changelog';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const release = readRelease();
if (!release?.date) {
	// release-it would replace a thrown error by "Invalid configuration file".
	console.error(
		`CHANGELOG.md has no section "## ${version} - <date>". Write it, with the day of the release as YYYY-MM-DD, commit it, and run the command again.`,
	);
	process.exit(1);
}

function readRelease() {
	try {
		return readChangelog(readFileSync('CHANGELOG.md', 'utf8')).findRelease(version);
	} catch (error) {
		console.error(error);
		return undefined;
	}
}

export default {
	// Not a choice at the terminal: the version is what package.json says, as it was
	// reviewed and committed together with the changelog.
	increment: version,
	npm: { allowSameVersion: true },
	// GitHub shows the heading as the title of the release.
	github: { releaseNotes: () => release.toString().replace(/^## .*\n/, '') },
};
