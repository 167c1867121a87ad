import { ServiceFailure } from '../client/failures';
import { pack, unpack } from './checkpoint';

/**
 * Maximum number of records without a usable date before the list is an error (docs/maintainers/assumptions.md, A5).
 */
export const MAX_UNDATED = 2_000;

/**
 * Remembers processed records that have no usable date: missing, unreadable, or more than a day ahead of n8n's clock.
 */
export class UndatedVersions {
	private readonly before: Set<string>;
	private readonly met = new Set<string>();

	/** @param stored member `undated` of the stored checkpoint */
	constructor(stored: string) {
		this.before = new Set(unpack(stored));
	}

	has(digest: string): boolean {
		return this.before.has(digest) || this.met.has(digest);
	}

	/**
	 * Adds the digest of a record. Throws ServiceFailure `tooManyUndated` with `facts` if this poll has read too many
	 * records without a usable date.
	 */
	add(digest: string, facts: ConstructorParameters<typeof ServiceFailure>[1]): void {
		this.met.add(digest);
		if (this.met.size > MAX_UNDATED) throw new ServiceFailure('tooManyUndated', facts);
	}

	/**
	 * Returns the text to store in the checkpoint.
	 * @param wereAllMet true if the poll has read the whole list. Records that it has not read are then no longer in
	 * the list, and their digests are dropped
	 */
	toCheckpoint(wereAllMet: boolean): string {
		const all = new Set([...this.met, ...(wereAllMet ? [] : this.before)]);
		return pack([...all].slice(0, MAX_UNDATED));
	}
}
