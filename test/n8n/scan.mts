import path from 'node:path';

/**
 * Applies n8n's community package scan to a folder: `node scan.mts FOLDER source|package`. The scan itself takes
 * published packages only, so its rules are called here. Exits 1 and prints the violations when there are any.
 */

// The lint rules behave differently where NODE_ENV is "test", and look at it when they are loaded.
delete process.env.NODE_ENV;
const { analyzePackage, SOURCE_FILE_PATTERNS } = await import(
	'@n8n/scan-community-package/scanner/scanner.mjs'
);

const [folder = '.', part = 'source'] = process.argv.slice(2);
const patterns = part === 'source' ? SOURCE_FILE_PATTERNS : undefined;
const result = await analyzePackage(path.resolve(folder), patterns);
console.log(result.passed ? 'The scan passed.' : `${result.message}\n${result.details ?? ''}`);
process.exitCode = result.passed ? 0 : 1;
