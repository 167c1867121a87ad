import { shorten } from '../../client/secrets';

/** For example "2,000" or "1.5". */
export function formatNumber(number: number): string {
	// Loading the data of a locale takes a new process some 30 ms.
	return String(Math.round(number * 10) / 10).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** "A, B or C". */
export function oneOf(names: readonly string[]): string {
	return names.join(', ').replace(/, (?!.*, )/, ' or ');
}

/** For example "1 item" and "2,000 items". */
export function counted(count: number, noun: string): string {
	return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** For example "1.5 seconds", "15 minutes" and "2 hours". */
export function formatTime(ms: number): string {
	if (ms > 48 * 3_600_000) return 'more than two days';
	if (ms >= 3_600_000) return `${formatNumber(ms / 3_600_000)} hours`;
	if (ms > 120_000) return `${Math.ceil(ms / 60_000)} minutes`;
	return counted(ms / 1_000, 'second');
}

/** What something that was thrown says, on one line of at most 200 characters. */
export function wordsOf(error: unknown): string {
	return shorten(error instanceof Error ? error.message : String(error), 200);
}

/** The same in quotes. */
export function quoted(error: unknown): string {
	return `"${wordsOf(error).replaceAll('"', "'")}"`;
}
