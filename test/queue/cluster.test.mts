/** Tests n8n in queue mode with two workers. All tests share one cluster of processes, because its start is slow. */
import { afterAll, beforeAll, describe } from 'vitest';
import { startCluster, type Cluster } from './cluster.mts';
import { testObjectTypes } from './object-types.mts';
import { testQueue } from './queue.mts';
import { testSync } from './sync.mts';
import { testTrigger } from './trigger.mts';

let cluster: Cluster;

beforeAll(async () => void (cluster = await startCluster()));
afterAll(async () => await cluster?.stop());

describe('exports and enrichments in queue mode', () => testQueue(() => cluster));
describe('the example export-every-object-type in queue mode', () =>
	testObjectTypes(() => cluster));
describe('Sync in queue mode', () => testSync(() => cluster));
describe('the trigger in queue mode', () => testTrigger(() => cluster));
