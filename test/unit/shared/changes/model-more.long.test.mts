import { testTrigger } from './model.mts';

// Plays other random histories than model.long.test.mts. Both files run in parallel, to halve the time.
testTrigger(10_000, 2);
