import fc from 'fast-check';

/**
 * Seed of random histories and values. The seed is fixed, so that the same code always gives the same result. Set SEED
 * (`SEED=$RANDOM npm test`) to search for failures that this seed does not show.
 */
export const seed = Number(process.env.SEED ?? 20_261_121);

fc.configureGlobal({ seed });
