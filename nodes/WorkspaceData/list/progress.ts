/** A long list writes a line to n8n's log every so many ms. */
const EVERY_MS = 30_000;

/** How far a list has come. `total` is undefined where the service does not say. */
export interface ListProgress {
	recordsRead: number;
	total?: number;
}

/**
 * Tells n8n's log how far a long list has come, every 30 seconds.
 *
 * @param now milliseconds that have gone by since some moment
 * @returns to be told of every page
 */
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

/** For example "12,000 of 48,000 records read, 400 per second, about 90 seconds left". */
export function progressLine({ recordsRead, total }: ListProgress, tookMs: number): string {
	const perSecond = (recordsRead * 1_000) / Math.max(1, tookMs);
	const [read, rate] = [recordsRead, Math.round(perSecond)].map((one) =>
		one.toLocaleString('en-US'),
	);
	if (total === undefined || total <= recordsRead || recordsRead === 0) {
		return `${read} records read, ${rate} per second`;
	}
	const leftSeconds = Math.round((total - recordsRead) / perSecond);
	const left =
		leftSeconds > 120 ? `${Math.round(leftSeconds / 60)} minutes` : `${leftSeconds} seconds`;
	return `${read} of ${total.toLocaleString('en-US')} records read, ${rate} per second, about ${left} left`;
}
