import type { IExecuteFunctions } from 'n8n-workflow';

import type { Told } from '../changes/told';
import { redact } from '../client/secrets';
import { hasField } from '../common/panel/kept-fields';
import { memoryOf } from './run-memory';
import { isInLoop } from './wiring';

/** A text with what users entered, which may be anything, without the secrets of this run. */
export function withoutSecrets(context: IExecuteFunctions, text: string): string {
	return redact(text, memoryOf(context).secrets);
}

/** Shows a hint under the output. Versions of n8n before hints lack the function. */
export function hint(context: IExecuteFunctions, message: string): void {
	const clean = withoutSecrets(context, message);
	context.addExecutionHints?.({ message: clean, location: 'outputPane' });
}

/** The same, and in n8n's log: nobody looks at the output of a scheduled run. */
export function warn(context: IExecuteFunctions, message: string): void {
	tell(context, { level: 'warn', message });
}

/** A line in n8n's log, and a hint where it is a warning. */
export function tell(context: IExecuteFunctions, { level, message }: Told): void {
	context.logger[level](`Workspace Data: ${withoutSecrets(context, message)}`);
	if (level === 'warn') hint(context, message);
}

/** A hint that several input items may give reason to show. */
export function hintOnce(context: IExecuteFunctions, topic: string, message: string): void {
	if (memoryOf(context).isFirst(`hint ${topic}`)) hint(context, message);
}

/** What an operation that put out nothing means for the loop that it is in. */
export function hintOnEmptyRound(context: IExecuteFunctions): void {
	if (context.getNode().alwaysOutputData === true || !isInLoop(context)) return;
	hint(
		context,
		'Nothing came out, so the nodes after this one do not run, and in a loop no later round either. For that, turn on Always Output Data in Settings.',
	);
}

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
	hint(context: IExecuteFunctions): void {
		const missing = [...this.wanted].filter((field) => !this.found.has(field));
		if (missing.length === 0) return;
		const fields = missing.length === 1 ? 'field' : 'fields';
		hint(context, `No record has the ${fields} ${missing.join(', ')}. Names are case-sensitive.`);
	}
}
