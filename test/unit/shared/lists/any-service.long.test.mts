import { describe } from 'vitest';

import { itReadsEachRecordOnce } from './any-service.mts';

const RUNS = Number(process.env.HISTORIES ?? 3_000);

describe(`lists read by cursor from ${RUNS} random services`, { timeout: 3_600_000 }, () =>
	itReadsEachRecordOnce(RUNS),
);
