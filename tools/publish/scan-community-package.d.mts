declare module '@n8n/scan-community-package/scanner/scanner.mjs' {
	/** Files of the source that the scan lints. */
	export const SOURCE_FILE_PATTERNS: string[];
	/** Lints a folder with the scan's own rules; `details` lists the violations. */
	export function analyzePackage(
		folder: string,
		filePatterns?: string[],
	): Promise<{ passed: boolean; message?: string; details?: string }>;
}
