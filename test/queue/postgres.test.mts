/** The examples that write into PostgreSQL. They run one after the other, because they share a table. */
import { describe } from 'vitest';
import { testDeletions } from './deletions-postgres.mts';
import { usePostgresLab } from './postgres-lab.mts';
import { testSync } from './sync-postgres.mts';

const lab = usePostgresLab(2_503);

describe('changes-into-postgresql', () => testSync(lab));
describe('deletions-in-postgresql', () => testDeletions(lab));
