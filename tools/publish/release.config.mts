// Settings of release-it for `npm run release` (`n8n-node release`) on a maintainer's machine. package.json names this
// file. It leaves out what n8n's command sets itself: a release from a clean branch main, lint and build before the
// release, tag and push, and no publication to npm.
import { readFileSync } from 'node:fs';
import { parser as readChangelog } from 'keep-a-changelog';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const release = readRelease();
if (!release?.date) {
	// Print the error and exit, because release-it would replace a thrown error with "Invalid configuration file".
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
	// Release the version in package.json without asking. It was reviewed and committed together with the changelog.
	increment: version,
	npm: { allowSameVersion: true },
	// Remove the heading, because GitHub shows it as the title of the release.
	github: { releaseNotes: () => release.toString().replace(/^## .*\n/, '') },
};
