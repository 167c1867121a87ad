const realNow = Date.now;
const realElapsed = performance.now.bind(performance);
let forwardMs = 0;

/** The clocks of the whole process go on from a later time, so that time passes by what is counted and not by waiting. */
export function setClockForward(ms: number): void {
	forwardMs += ms;
	Date.now = () => realNow() + forwardMs;
	performance.now = () => realElapsed() + forwardMs;
}
