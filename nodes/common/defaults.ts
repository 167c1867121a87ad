/** Retries of a request after faults that leave open whether it was processed. */
export const DEFAULT_MAX_RETRIES = 4;
/** Longest time to wait, in all, for a service that does not take a request, in seconds. */
export const DEFAULT_MAX_WAIT_SECONDS = 300;
/** Longest time for one attempt of a list or of Who Am I, in ms. */
export const DEFAULT_READ_TIMEOUT_MS = 60_000;
/** Longest time for one attempt of enrich, score or prospect, in ms: AI work is slow, and giving up early may be billed. */
export const DEFAULT_CALL_TIMEOUT_MS = 300_000;
/** Records in one file of an export, unless the user says otherwise. */
export const DEFAULT_RECORDS_PER_FILE = 50_000;
/** The field of an item's binary data that an export's file goes into, unless the user says otherwise. */
export const DEFAULT_BINARY_PROPERTY = 'data';
/** Calls under way at once. */
export const DEFAULT_MAX_CONCURRENT = 5;
/** Most calls that may be set to be under way at once. */
export const MOST_CONCURRENT = 100;
/** Trigger and Sync: larger pages would not fit into what is remembered, the records of the last page among it. */
export const MOST_PER_PAGE_OF_CHANGES = 1_000;
/** Trigger: records that one poll delivers at most, unless the user says otherwise. */
export const DEFAULT_RECORDS_PER_POLL = 1_000;
/** Trigger and Sync: how late a record may be and still arrive, unless the user says otherwise, in seconds. */
export const DEFAULT_OVERLAP_SECONDS = 30;
