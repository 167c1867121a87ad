import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';

/**
 * Returns npm settings for installations that may compile a native package. They point to the headers of a Node.js that
 * is installed on this machine, so that npm does not fetch headers from nodejs.org. n8n's database driver uses
 * Node-API, which is the same in every version, so headers of another version work too.
 */
export function nativeBuildEnvironment(fetchFolder: string): Record<string, string> {
	const environment = { npm_config_devdir: fetchFolder };
	const headers = process.env.npm_config_nodedir ?? installedHeaders();
	return headers === undefined ? environment : { ...environment, npm_config_nodedir: headers };
}

/** Returns the folder with `include/node` of the first Node.js in PATH that includes its headers. */
function installedHeaders(): string | undefined {
	return (process.env.PATH ?? '')
		.split(path.delimiter)
		.map((folder) => path.join(folder, 'node'))
		.filter((program) => existsSync(program))
		.map((program) => path.dirname(path.dirname(realpathSync(program))))
		.find((prefix) => existsSync(path.join(prefix, 'include/node/node_api.h')));
}
