/** Records per request of a list (the API's `limit`), unless the user says otherwise. */
export const DEFAULT_PAGE_SIZE = 100;
/** Retries after the first attempt of a request. */
export const DEFAULT_MAX_RETRIES = 4;
/** Longest time for one attempt of a list or of Who Am I, in ms. */
export const DEFAULT_READ_TIMEOUT_MS = 60_000;
/** Longest time for one attempt of enrich, score or prospect, in ms: AI work is slow, and giving up early may be billed. */
export const DEFAULT_CALL_TIMEOUT_MS = 300_000;
