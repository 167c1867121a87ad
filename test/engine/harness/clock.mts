import { vi } from 'vitest';

const realNow = Date.now;
const realElapsed = performance.now.bind(performance);
let forwardMs = 0;

/** The clocks of the whole process go on from a later time, so that time passes by what is counted and not by waiting. */
export function setClockForward(ms: number): void {
	forwardMs += ms;
	Date.now = () => realNow() + forwardMs;
	performance.now = () => realElapsed() + forwardMs;
}

/** A minute of the node takes a fifth of a second, in this test. */
export function hurry(): void {
	const now = performance.now.bind(performance);
	vi.spyOn(performance, 'now').mockImplementation(() => now() * 300);
}
