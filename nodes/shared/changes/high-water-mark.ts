import type { Version } from '../lists/record-identity';
import { pack, unpack, type Checkpoint } from './checkpoint';

/** A version with a date, in ms since 1970. */
export type Dated = Version & { time: number };

/**
 * The high-water mark: the date before which every version has been processed, with the last processed versions of
 * exactly this date.
 */
export class HighWaterMark {
	/** Date of the high-water mark in ms since 1970. -Infinity if there is no high-water mark yet. */
	time: number;
	private readonly digests: Set<string>;
	private readonly maxDigests: number;

	constructor(
		checkpoint: Pick<Checkpoint, 'watermark' | 'seenAtWatermark'>,
		maxRemembered: number,
	) {
		this.time = checkpoint.watermark ?? -Infinity;
		this.digests = new Set(unpack(checkpoint.seenAtWatermark));
		this.maxDigests = maxRemembered / 4;
	}

	/**
	 * True if digests of versions with exactly the date of the high-water mark may have been dropped, because there
	 * were too many.
	 */
	get isTruncated(): boolean {
		return this.digests.size > this.maxDigests;
	}

	has(digest: string): boolean {
		return this.digests.has(digest);
	}

	/**
	 * Moves the high-water mark to the date of a version, and remembers the version. The version must not be older than
	 * the high-water mark.
	 */
	moveOver({ digest, time }: Dated): void {
		if (time > this.time) {
			this.time = time;
			this.digests.clear();
		}
		this.digests.delete(digest);
		this.digests.add(digest);
		const [oldest] = this.digests;
		if (this.digests.size > this.maxDigests + 1) this.digests.delete(oldest);
	}

	toCheckpoint(): Pick<Checkpoint, 'watermark' | 'seenAtWatermark'> {
		const watermark = this.time === -Infinity ? null : this.time;
		return { watermark, seenAtWatermark: pack(this.digests) };
	}
}
