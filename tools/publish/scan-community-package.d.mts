declare module '@n8n/scan-community-package/scanner/scanner.mjs' {
	/** Patterns of the source files that the scan lints. */
	export const SOURCE_FILE_PATTERNS: string[];
	/** Lints a folder with the scan's own rules. `details` lists the violations. */
	export function analyzePackage(
		folder: string,
		filePatterns?: string[],
	): Promise<{ passed: boolean; message?: string; details?: string }>;
}
