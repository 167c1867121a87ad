import { testSync } from './model.mts';

testSync(60);
