import fc from 'fast-check';

/**
 * Seed of all random test data. It is fixed, so that every test run has the same data. A different seed
 * (`SEED=$RANDOM npm test`) can find different failures.
 */
export const seed = Number(process.env.SEED ?? 20_261_121);

fc.configureGlobal({ seed });
