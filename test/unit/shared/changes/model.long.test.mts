import { testTrigger } from './model.mts';

testTrigger(10_000, 1);
