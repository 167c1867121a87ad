/** A whole number from 1 on. */
export function isCount(value: unknown): value is number {
	return Number.isSafeInteger(value) && (value as number) > 0;
}

/** The page size up to `most` with which the last page is fullest. */
export function bestLimit(total: number, most: number): number {
	if (total <= most) return most;
	const onLastPage = (limit: number): number => ((total - 1) % limit) + 1;
	let best = most;
	for (let limit = most; limit > most / 2; limit--) {
		if (onLastPage(limit) > onLastPage(best)) best = limit;
	}
	return best;
}
