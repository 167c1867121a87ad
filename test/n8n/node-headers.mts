import { access, realpath } from 'node:fs/promises';
import path from 'node:path';

/**
 * Settings for npm where it may have to compile a native package: Node's headers, which would otherwise be fetched
 * from nodejs.org, as they lie beside a Node.js that is installed on this machine. The interface that n8n's database
 * driver is compiled against (Node-API) is the same in every version, so another version's headers do.
 */
export async function nativeBuildEnvironment(fetchFolder: string): Promise<Record<string, string>> {
	const environment = { npm_config_devdir: fetchFolder };
	const headers = process.env.npm_config_nodedir ?? (await installedHeaders());
	return headers === undefined ? environment : { ...environment, npm_config_nodedir: headers };
}

/** The folder with `include/node` of the first Node.js in the PATH that came with its headers. */
async function installedHeaders(): Promise<string | undefined> {
	for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
		const prefix = await realpath(path.join(folder, 'node')).then(
			(program) => path.dirname(path.dirname(program)),
			() => undefined,
		);
		if (prefix !== undefined && (await exists(path.join(prefix, 'include/node/node_api.h')))) {
			return prefix;
		}
	}
	return undefined;
}

async function exists(file: string): Promise<boolean> {
	return await access(file).then(
		() => true,
		() => false,
	);
}
