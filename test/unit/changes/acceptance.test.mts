import { playAndAccept } from './history.mts';
import { testAcceptance } from './play-all.mts';
import { wholeHistory } from './random-history.mts';

testAcceptance('the trigger', wholeHistory, playAndAccept, 30);
