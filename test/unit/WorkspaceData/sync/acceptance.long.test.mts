import { testAcceptance } from '../../changes/play-all.mts';
import { playAndAccept } from './history.mts';
import { oneRun } from './random-history.mts';

testAcceptance('Sync', oneRun, playAndAccept, 3_000);
