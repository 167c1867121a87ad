import { ServiceFailure } from '../client/failures';
import { pack, unpack } from './checkpoint';

/** Maximum number of records without a date (docs/maintainers/assumptions.md, A5). */
export const MAX_UNDATED = 2_000;

/** Processed versions without a date. A version dated far ahead counts as undated. */
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

	/** Adds a version. Throws ServiceFailure `tooManyUndated` with `facts` if there are too many versions. */
	add(digest: string, facts: ConstructorParameters<typeof ServiceFailure>[1]): void {
		this.met.add(digest);
		if (this.met.size > MAX_UNDATED) throw new ServiceFailure('tooManyUndated', facts);
	}

	/**
	 * Returns the text to store in the checkpoint.
	 * @param wereAllMet true if the whole list was read. Versions that were not read are then no longer in the list
	 */
	toCheckpoint(wereAllMet: boolean): string {
		const all = new Set([...this.met, ...(wereAllMet ? [] : this.before)]);
		return pack([...all].slice(0, MAX_UNDATED));
	}
}
