import { mkdir, statfs } from 'node:fs/promises';
import getPort, { portNumbers } from 'get-port';
import { ExplainedError } from './errors.mts';

/** What the first set-up writes, with room for npm's temporary files: n8n 2.2 GB, npm's cache, a database. */
const neededGigabytes = 4;

/**
 * Makes sure that the disk has room for the first set-up.
 *
 * @throws ExplainedError naming what is free and what is needed
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

/**
 * Makes sure that a port can be listened on.
 *
 * @param use what it is for, such as "n8n's editor"
 * @param option the command line option that chooses another
 * @throws ExplainedError naming the port and how to choose another
 */
export async function checkPortIsFree(port: number, use: string, option: string): Promise<void> {
	// A taken port's neighbours are tried first for a suggestion that is easy to type.
	const last = Math.min(port + 20, 65_535);
	const free = await getPort({ port: portNumbers(port, last) });
	if (free === port) return;
	throw new ExplainedError(
		`Port ${port} (for ${use}) is taken by another program: stop that program, or choose another port with \`npm start -- ${option} ${free}\`.`,
	);
}
