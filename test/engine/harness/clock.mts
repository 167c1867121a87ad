import { vi } from 'vitest';

const realNow = Date.now;
const realElapsed = performance.now.bind(performance);
let forwardMs = 0;

/** Sets the clocks of the whole process forward, so that a test does not have to wait. */
export function setClockForward(ms: number): void {
	forwardMs += ms;
	Date.now = () => realNow() + forwardMs;
	performance.now = () => realElapsed() + forwardMs;
}

/** Makes the node's clock run 300 times as fast in this test, so that a minute takes 0.2 seconds. */
export function hurry(): void {
	const now = performance.now.bind(performance);
	vi.spyOn(performance, 'now').mockImplementation(() => now() * 300);
}
