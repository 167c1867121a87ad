import { testTrigger } from './model.mts';

testTrigger(60);
