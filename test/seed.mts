import fc from 'fast-check';

/**
 * Where random histories and values begin. It stands here so that the same code always gives the same result; SEED
 * (`SEED=$RANDOM npm test`) is for looking for what this one does not show.
 */
export const seed = Number(process.env.SEED ?? 20_261_121);

fc.configureGlobal({ seed });
