import { parseArgs } from 'node:util';
import { ExplainedError, messageOf } from '../../test/n8n/errors.mts';

/** Help text of `npm start`. */
export const usage = `npm start -- [--once] [--port N] [--sandbox-port N]

  --once             stop after the export instead of keeping n8n's editor open
  --port N           port of n8n's editor (5678)
  --sandbox-port N   port of the sandbox service (4010)`;

/**
 * Reads the command line of `npm start`.
 * @throws ExplainedError for an unknown option or an invalid port
 */
export function readOptions(commandLine: string[]) {
	const { once, help, ...values } = parse(commandLine);
	const port = readPort('--port', values.port);
	const sandboxPort = readPort('--sandbox-port', values['sandbox-port']);
	if (port === sandboxPort) {
		throw new ExplainedError(
			`--port and --sandbox-port are both ${port}: choose two different ports.`,
		);
	}
	return { once, help, port, sandboxPort };
}

function parse(commandLine: string[]) {
	try {
		return parseArgs({
			args: commandLine,
			options: {
				once: { type: 'boolean', default: false },
				help: { type: 'boolean', default: false },
				port: { type: 'string', default: '5678' },
				'sandbox-port': { type: 'string', default: '4010' },
			},
		}).values;
	} catch (error) {
		throw new ExplainedError(`${messageOf(error)}\n\n${usage}`);
	}
}

function readPort(option: string, text: string): number {
	const port = Number(text);
	if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
	throw new ExplainedError(`${option} must be a number from 1 to 65535, not "${text}".`);
}
