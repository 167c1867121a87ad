const FIRST_CAPACITY_BYTES = 256 * 1024;

/**
 * Collects the text of one file as UTF-8. It holds bytes, since strings of a file's size would double the memory
 * when they are turned into bytes at the end; and it is used again for the next file, so that an export of any
 * number of files takes the memory of one.
 */
export class PartBuffer {
	private memory = Buffer.allocUnsafe(FIRST_CAPACITY_BYTES);
	private used = 0;

	/** Adds text at the end and tells how many bytes it has. */
	append(text: string): number {
		const needed = this.used + Buffer.byteLength(text);
		if (needed > this.memory.length) this.growTo(needed);
		const written = this.memory.write(text, this.used);
		this.used += written;
		return written;
	}

	/** What was collected: a view that holds until the next `append` after `clear`. */
	get bytes(): Buffer {
		return this.memory.subarray(0, this.used);
	}

	/** Starts over, keeping the memory. */
	clear(): void {
		this.used = 0;
	}

	private growTo(needed: number): void {
		const larger = Buffer.allocUnsafe(Math.max(needed, Math.ceil(this.memory.length * 1.5)));
		this.memory.copy(larger, 0, 0, this.used);
		this.memory = larger;
	}
}
