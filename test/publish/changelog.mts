import { readFileSync } from 'node:fs';

/** A section's heading: "## 1.2.3 – 2026-01-31", or "## 1.2.3 – unreleased" while it is being worked on. */
const heading = /^## (\S+) – (.+)$/gm;

/**
 * A version's section of a changelog.
 *
 * @param changelog the whole text
 * @param version such as "1.2.3"
 * @returns when it was released, by its heading, and what the section says; undefined where there is none
 */
export function changelogSection(
	changelog: string,
	version: string,
): { date: string; notes: string } | undefined {
	const headings = [...changelog.matchAll(heading)];
	const place = headings.findIndex(([, named]) => named === version);
	if (place < 0) return undefined;
	const [line, , date] = headings[place];
	const start = headings[place].index + line.length;
	return { date, notes: changelog.slice(start, headings[place + 1]?.index).trim() };
}

/**
 * What the release of a version says, as CHANGELOG.md has it.
 *
 * @param version such as "1.2.3"
 * @throws Error when CHANGELOG.md has no such section, or the section has no date yet
 */
export function releaseNotes(version: string): string {
	const section = changelogSection(readFileSync('CHANGELOG.md', 'utf8'), version);
	if (!section || !/^\d{4}-\d\d-\d\d$/.test(section.date)) {
		throw new Error(
			`CHANGELOG.md has no section "## ${version} – <date>". Write it, with the day of the release as YYYY-MM-DD, commit it, and run the command again.`,
		);
	}
	return section.notes;
}
