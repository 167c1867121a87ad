import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';

/**
 * Returns npm settings for installing a package that may be compiled. They point to the headers of an installed
 * Node.js, so that npm does not download headers. Headers of a different Node.js version work too, because n8n's
 * database driver uses the stable Node-API.
 */
export function nativeBuildEnvironment(fetchFolder: string): Record<string, string> {
	const environment = { npm_config_devdir: fetchFolder };
	const headers = process.env.npm_config_nodedir ?? installedHeaders();
	return headers === undefined ? environment : { ...environment, npm_config_nodedir: headers };
}

/** Returns the folder of the first Node.js in PATH that includes its headers (`include/node`). */
function installedHeaders(): string | undefined {
	return (process.env.PATH ?? '')
		.split(path.delimiter)
		.map((folder) => path.join(folder, 'node'))
		.filter((program) => existsSync(program))
		.map((program) => path.dirname(path.dirname(realpathSync(program))))
		.find((prefix) => existsSync(path.join(prefix, 'include/node/node_api.h')));
}
