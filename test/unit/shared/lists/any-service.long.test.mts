import { describe } from 'vitest';

import { itReadsEachRecordOnce } from './any-service.mts';

const RUNS = Number(process.env.HISTORIES ?? 3_000);

describe(`each of ${RUNS} lists comes whole, or with an error`, { timeout: 3_600_000 }, () =>
	itReadsEachRecordOnce(RUNS),
);
