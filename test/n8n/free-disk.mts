import { mkdir, statfs } from 'node:fs/promises';
import { ExplainedError } from './errors.mts';

/** Disk space in GB that the first start uses for n8n (2.2 GB), npm's cache, temporary files and a database. */
const neededGigabytes = 4;

/**
 * Checks that the disk has enough free space for the first start.
 * @throws ExplainedError with the free and the needed space
 */
export async function checkFreeDisk(folder: string): Promise<void> {
	await mkdir(folder, { recursive: true });
	const { bavail, bsize } = await statfs(folder);
	const freeGigabytes = (bavail * bsize) / 1_000_000_000;
	if (freeGigabytes >= neededGigabytes) return;
	throw new ExplainedError(
		`The first start needs about ${neededGigabytes} GB of free disk space for n8n and only ${freeGigabytes.toFixed(1)} GB is free in ${folder}: free some space and run \`npm start\` again.`,
	);
}
