/** Tests the examples that write into PostgreSQL, one after the other, because they share a table. */
import { describe } from 'vitest';
import { testDeletions } from './deletions-postgres.mts';
import { usePostgresLab } from './postgres-lab.mts';
import { testSync } from './sync-postgres.mts';

const lab = usePostgresLab(2_503);

describe('the example changes-into-postgresql', () => testSync(lab));
describe('the example deletions-in-postgresql', () => testDeletions(lab));
