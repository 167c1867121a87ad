import { testAcceptance } from '../../changes/play-all.mts';
import { playAndAccept } from './history.mts';
import { history } from './random-history.mts';

testAcceptance('Sync', history, playAndAccept, 30);
