import { ServiceFailure } from '../client/failures';
import { pack, unpack } from './checkpoint';

/** Maximum number of undated records. If a list has more, reading it fails (docs/maintainers/assumptions.md, A5). */
export const MAX_UNDATED = 2_000;

/** Remembers processed records whose date is missing, unreadable, or more than a day ahead of n8n's clock. */
export class UndatedVersions {
	private readonly before: Set<string>;
	private readonly met = new Set<string>();

	/** @param stored value of `undated` in the stored checkpoint */
	constructor(stored: string) {
		this.before = new Set(unpack(stored));
	}

	has(digest: string): boolean {
		return this.before.has(digest) || this.met.has(digest);
	}

	/** Remembers a digest. Throws ServiceFailure `tooManyUndated` with `facts` if there are more than `MAX_UNDATED`. */
	add(digest: string, facts: ConstructorParameters<typeof ServiceFailure>[1]): void {
		this.met.add(digest);
		if (this.met.size > MAX_UNDATED) throw new ServiceFailure('tooManyUndated', facts);
	}

	/** Returns the digests as one text. If the whole list was read (`wereAllMet`), only digests found there stay. */
	toCheckpoint(wereAllMet: boolean): string {
		const all = new Set([...this.met, ...(wereAllMet ? [] : this.before)]);
		return pack([...all].slice(0, MAX_UNDATED));
	}
}
