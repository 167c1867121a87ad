import { testAcceptance } from '../../changes/play-all.mts';
import { playAndAccept } from './history.mts';
import { history } from './random-history.mts';

// Of a list that is frozen, one run may give a part and the next one the rest.
const oneRun = history.filter(({ traits }) => traits.cursors !== 'frozen');
testAcceptance('Sync', oneRun, playAndAccept, 30);
