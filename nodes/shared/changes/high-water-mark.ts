import type { Version } from '../lists/record-identity';
import { pack, unpack, type Checkpoint } from './checkpoint';

/** A version with a date, in ms since 1970. */
export type Dated = Version & { time: number };

/** The date before which every version has been processed, with the last processed versions of exactly that date. */
export class HighWaterMark {
	/** Date in ms since 1970; -Infinity before the first one. */
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

	/** True if versions of exactly that date may have been forgotten, because there were too many. */
	get isTruncated(): boolean {
		return this.digests.size > this.maxDigests;
	}

	has(digest: string): boolean {
		return this.digests.has(digest);
	}

	/** Moves the mark over a version that is not older than the mark. */
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
