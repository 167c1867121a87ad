import getPort, { portNumbers } from 'get-port';
import { ExplainedError } from '../../test/n8n/errors.mts';

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
