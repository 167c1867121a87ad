/** The examples that write into PostgreSQL, one after the other into the same table. */
import { afterAll, beforeAll, describe } from 'vitest';
import { testDeletions } from './deletions-postgres.mts';
import { startPostgresLab, type PostgresLab } from './postgres-lab.mts';
import { testSync } from './sync-postgres.mts';

let lab: PostgresLab;

beforeAll(async () => void (lab = await startPostgresLab(2_503)));
afterAll(async () => await lab?.stop());

describe('changes-into-postgresql', () => testSync(() => lab));
describe('deletions-in-postgresql', () => testDeletions(() => lab));
