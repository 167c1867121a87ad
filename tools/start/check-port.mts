import getPort, { portNumbers } from 'get-port';
import { ExplainedError } from '../../test/n8n/errors.mts';

/**
 * Checks that a port is free.
 * @param use purpose of the port, such as "n8n's editor"
 * @param option command line option that sets another port
 * @throws ExplainedError that suggests a free port
 */
export async function checkPortIsFree(port: number, use: string, option: string): Promise<void> {
	// Suggest a nearby port if one is free, because it is easy to remember.
	const last = Math.min(port + 20, 65_535);
	const free = await getPort({ port: portNumbers(port, last) });
	if (free === port) return;
	throw new ExplainedError(
		`Port ${port} (for ${use}) is taken by another program: stop that program, or choose another port with \`npm start -- ${option} ${free}\`.`,
	);
}
