import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';

/**
 * Settings for npm where it may have to compile a native package: Node's headers, which would otherwise be fetched
 * from nodejs.org, as they lie beside a Node.js that is installed on this machine. The interface that n8n's database
 * driver is compiled against (Node-API) is the same in every version, so another version's headers do.
 */
export function nativeBuildEnvironment(fetchFolder: string): Record<string, string> {
	const environment = { npm_config_devdir: fetchFolder };
	const headers = process.env.npm_config_nodedir ?? installedHeaders();
	return headers === undefined ? environment : { ...environment, npm_config_nodedir: headers };
}

/** The folder with `include/node` of the first Node.js in the PATH that came with its headers. */
function installedHeaders(): string | undefined {
	return (process.env.PATH ?? '')
		.split(path.delimiter)
		.map((folder) => path.join(folder, 'node'))
		.filter((program) => existsSync(program))
		.map((program) => path.dirname(path.dirname(realpathSync(program))))
		.find((prefix) => existsSync(path.join(prefix, 'include/node/node_api.h')));
}
