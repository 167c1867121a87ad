declare module '@n8n/scan-community-package/scanner/scanner.mjs' {
	/** File patterns of the source files that the scan checks. */
	export const SOURCE_FILE_PATTERNS: string[];
	/** Checks a folder with the rules of n8n's package scan. `details` lists the violations. */
	export function analyzePackage(
		folder: string,
		filePatterns?: string[],
	): Promise<{ passed: boolean; message?: string; details?: string }>;
}
