import { testTrigger } from './model.mts';

// Plays different random histories from those in model.long.test.mts. Both files run in parallel, to halve the time.
testTrigger(10_000, 2);
