import { describe } from 'vitest';

import { itReadsEachRecordOnce } from './any-service.mts';

describe('each record comes once, or there is an error', () => itReadsEachRecordOnce(60));
