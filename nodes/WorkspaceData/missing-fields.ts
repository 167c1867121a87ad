import { hasField } from '../common/panel/kept-fields';

/** Told of all records that come out of a run, finds out which of the fields to keep none of them has. */
export class MissingFields {
	private readonly wanted = new Set<string>();
	private readonly found = new Set<string>();

	/** @param fields to keep of these records */
	lookAt(records: ReadonlyArray<Record<string, unknown>>, fields: readonly string[] = []): void {
		if (records.length === 0) return;
		for (const field of fields) {
			this.wanted.add(field);
			const isNew = !this.found.has(field) && records.some((one) => hasField(one, field));
			if (isNew) this.found.add(field);
		}
	}

	/** Which fields no record had. */
	hint(run: { hint: (message: string) => void }): void {
		const missing = [...this.wanted].filter((field) => !this.found.has(field));
		if (missing.length === 0) return;
		const fields = missing.length === 1 ? 'field' : 'fields';
		run.hint(`No record has the ${fields} ${missing.join(', ')}. Names are case-sensitive.`);
	}
}
