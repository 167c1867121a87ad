/** Features of JSON in Node.js 24 that TypeScript's types lack: JSON.rawJSON, and the third argument of a reviver. */
interface ExactJson {
	rawJSON(text: string): unknown;
	parse(
		text: string,
		reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
	): unknown;
}

const exactJson = JSON as unknown as ExactJson;

/**
 * Returns a record as JSON text, exactly as the sandbox sends it. Writes a bigint as an integer, for which
 * JSON.stringify alone throws.
 */
export function serializeRecord(record: unknown): string {
	return JSON.stringify(record, function (this: Record<string, unknown>, key, value: unknown) {
		// Read the value from the object, because `BigInt.prototype.toJSON`, which some libraries define, may have
		// converted `value`.
		const original = this[key];
		return typeof original === 'bigint' ? exactJson.rawJSON(String(original)) : value;
	});
}

/**
 * Parses a record that `serializeRecord` wrote. Integers beyond 2^53 become bigint. Throws a SyntaxError for invalid
 * JSON.
 */
export function parseRecord(text: string): Record<string, unknown> {
	return exactJson.parse(text, (_key, value, context) => {
		const isUnsafeInteger =
			typeof value === 'number' &&
			!Number.isSafeInteger(value) &&
			/^-?\d+$/.test(context.source ?? '');
		return isUnsafeInteger ? BigInt(context.source ?? '') : value;
	}) as Record<string, unknown>;
}
