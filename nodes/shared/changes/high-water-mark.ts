import type { Version } from '../lists/record-identity';
import { pack, unpack, type Checkpoint } from './checkpoint';

/** A record version that has a date. `time` is this date in ms since 1970. */
export type Dated = Version & { time: number };

/**
 * High-water mark of a list: the date before which every record version (a record together with its date) has been
 * processed. Also remembers digests of processed record versions with exactly this date.
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

	/** True if so many versions have the date of the mark that some of their digests may have been dropped. */
	get isTruncated(): boolean {
		return this.digests.size > this.maxDigests;
	}

	has(digest: string): boolean {
		return this.digests.has(digest);
	}

	/** Moves the mark to the date of a version, and remembers the version. The date must not be before the mark. */
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
