import { testSync } from './model.mts';

testSync(3_000);
