import { shorten } from '../client/secrets';

/** Returns a number as text, for example "2,000" or "1.5". */
export function formatNumber(number: number): string {
	// Do not use toLocaleString(), because loading the locale takes about 30 ms in a new process.
	return String(Math.round(number * 10) / 10).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** Returns a list such as "A, B or C". */
export function oneOf(names: readonly string[]): string {
	return names.join(', ').replace(/, (?!.*, )/, ' or ');
}

/** Returns a number with its noun, for example "1 item" or "2,000 items". */
export function counted(count: number, noun: string): string {
	const number = formatNumber(count);
	return `${number} ${noun}${number === '1' ? '' : 's'}`;
}

/** Returns a duration in ms as text, for example "12 ms", "1.5 seconds", "15 minutes" or "1 hour". */
export function formatTime(ms: number): string {
	if (ms > 48 * 3_600_000) return 'more than two days';
	if (ms >= 3_600_000) return counted(ms / 3_600_000, 'hour');
	if (ms > 120_000) return counted(ms / 60_000, 'minute');
	if (ms < 100) return `${Math.round(ms)} ms`;
	return counted(ms / 1_000, 'second');
}

/** Returns the message of a caught error, on one line of at most 200 characters. */
export function wordsOf(error: unknown): string {
	return shorten(error instanceof Error ? error.message : String(error), 200);
}

/** Returns the message of a caught error in double quotes. */
export function quoted(error: unknown): string {
	return `"${wordsOf(error).replaceAll('"', "'")}"`;
}
