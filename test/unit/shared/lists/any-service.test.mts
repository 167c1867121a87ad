import { describe } from 'vitest';

import { itReadsEachRecordOnce } from './any-service.mts';

describe('lists read by cursor from random services', () => itReadsEachRecordOnce(60));
