/** JSON.rawJSON and the third argument of a reviver are in Node 24 but not yet in TypeScript's own types. */
interface ExactJson {
	rawJSON(text: string): unknown;
	parse(
		text: string,
		reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
	): unknown;
}

const exactJson = JSON as unknown as ExactJson;

/**
 * JSON text of a record exactly as the sandbox serves it.
 * A bigint is written as a plain integer, which is why JSON.stringify alone does not do.
 */
export function serializeRecord(record: unknown): string {
	return JSON.stringify(record, function (this: Record<string, unknown>, key, value: unknown) {
		// From the object and not from `value`, which a library may have changed through BigInt.prototype.toJSON.
		const original = this[key];
		return typeof original === 'bigint' ? exactJson.rawJSON(String(original)) : value;
	});
}

/** The reverse of serializeRecord: integers that a number cannot hold become bigint. Throws a SyntaxError. */
export function parseRecord(text: string): Record<string, unknown> {
	return exactJson.parse(text, (_key, value, context) => {
		const isUnsafeInteger =
			typeof value === 'number' &&
			!Number.isSafeInteger(value) &&
			/^-?\d+$/.test(context.source ?? '');
		return isUnsafeInteger ? BigInt(context.source ?? '') : value;
	}) as Record<string, unknown>;
}
