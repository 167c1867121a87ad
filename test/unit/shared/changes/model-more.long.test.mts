import { testTrigger } from './model.mts';

// Another half of them, beside the other.
testTrigger(10_000, 2);
