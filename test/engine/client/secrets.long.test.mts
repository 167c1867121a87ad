import { describe } from 'vitest';
import { sampleCases } from '../../samples.mts';
import { useSandbox } from '../harness/support.mts';
import { testAnswers } from './secret-answers.mts';

const bench = useSandbox({ companies: 20, orders: 20, items: 20, deals: 20 });

describe.each(sampleCases)('$name shows no key that the service repeats', (sample) => {
	testAnswers(bench, sample);
});
