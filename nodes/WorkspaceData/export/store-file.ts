import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { createCsvFormat } from './csv';
import type { FileFormat } from './file-writer';
import { createNdjsonFormat } from './ndjson';
import type { FileParameters } from './parameters';

/** n8n could not keep a file. Carries what the user needs to go on, like every error of an export. */
export class StorageProblem extends Error {
	override name = 'StorageProblem';
	readonly description: string;

	constructor(message: string, description: string) {
		super(message);
		this.description = description;
	}
}

export function createFormat(files: FileParameters, fields: string[] | undefined): FileFormat {
	return files.kind === 'ndjson'
		? createNdjsonFormat(fields)
		: createCsvFormat({ ...files, fields });
}

/**
 * Hands a file to n8n.
 *
 * @param advice how to go on, after a space; said when it fails
 * @throws StorageProblem
 */
export async function storeFile(
	{ helpers }: Pick<IExecuteFunctions, 'helpers'>,
	bytes: Buffer,
	{ fileName, mimeType }: { fileName: string; mimeType: string },
	advice = '',
): Promise<IBinaryData> {
	return await helpers.prepareBinaryData(bytes, fileName, mimeType).catch((error: unknown) => {
		throw new StorageProblem(
			`n8n could not store the file ${fileName}`,
			`n8n says: ${error instanceof Error ? error.message : String(error)}. Check the disk or the binary data storage of this n8n, or use fewer Records per File.${advice}`,
		);
	});
}
