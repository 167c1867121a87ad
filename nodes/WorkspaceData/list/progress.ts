import type { Page } from '../../client/pages';

/** A long list writes a line to n8n's log every so many ms. */
const EVERY_MS = 30_000;
/** An export that took at least this long is summed up when it has ended, in ms. */
const LONG_MS = 5_000;

/** How far a list has come. */
type ListProgress = Pick<Page, 'recordsRead' | 'total'>;

/** Tells n8n's log how far a long list has come, every 30 seconds. What it returns is told of every page. */
export function logProgress(
	now: () => number,
	log: (line: string) => void,
): (progress: ListProgress) => void {
	const beganMs = now();
	let saidMs = beganMs;
	return (progress) => {
		const nowMs = now();
		if (nowMs - saidMs < EVERY_MS) return;
		saidMs = nowMs;
		log(progressLine(progress, nowMs - beganMs));
	};
}

/** For example "12,000 of 48,000 records read, 400 per second, about 90 s left". */
export function progressLine({ recordsRead, total }: ListProgress, tookMs: number): string {
	const perSecond = (recordsRead * 1_000) / Math.max(1, tookMs);
	const rate = `${shownCount(Math.round(perSecond))} per second`;
	if (total === undefined || total <= recordsRead || recordsRead === 0) {
		return `${shownCount(recordsRead)} records read, ${rate}`;
	}
	const left = shownTime((total - recordsRead) / perSecond);
	return `${shownCount(recordsRead)} of ${shownCount(total)} records read, ${rate}, about ${left} left`;
}

/** What an export came to, for example "20,000 company records in 1 file, 42 s"; undefined where it took little time. */
export function exportSummary(
	{ what, records, files }: { what: string; records: number; files: number },
	tookMs: number,
): string | undefined {
	if (tookMs < LONG_MS) return undefined;
	const where = `${shownCount(files)} ${files === 1 ? 'file' : 'files'}`;
	return `${shownCount(records)} ${what} records in ${where}, ${shownTime(tookMs / 1_000)}`;
}

function shownCount(count: number): string {
	return count.toLocaleString('en-US');
}

function shownTime(seconds: number): string {
	return seconds > 120 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds)} s`;
}
