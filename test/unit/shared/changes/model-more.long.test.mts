import { testTrigger } from './model.mts';

// Plays the second half of the histories in parallel with the first half.
testTrigger(10_000, 2);
