/** The part of a child process that is needed to end it. */
interface Child {
	pid?: number | undefined;
	once(event: 'close', listener: () => void): unknown;
}

/** What still runs. */
const running = new Set<Child>();
const killAll = () => running.forEach(killGroup);
process.on('exit', killAll);

// A signal ends a process without the event above, as when a test run takes too long and is stopped.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	const endAtOnce = () => {
		// Whoever else listens (npm start does) ends everything in order instead.
		if (process.listenerCount(signal) > 1) return;
		killAll();
		process.off(signal, endAtOnce);
		process.kill(process.pid, signal);
	};
	process.on(signal, endAtOnce);
}
// A test file runs in a process of its own, which is told only by this that the test run was killed.
process.once('disconnect', killAll);

/**
 * Makes sure that a child process, with all that it started itself, does not outlive this process, however that
 * ends (npm goes on installing when only its parent is killed).
 *
 * @param child a child started with `detached: true`, which gives it a process group of its own; Ctrl-C then
 * reaches this process alone, which can end its children in order
 */
export function endWithThisProcess(child: Child): void {
	running.add(child);
	child.once('close', () => running.delete(child));
}

/** Kills what is left of a child's process group. */
export function killGroup(child: Child): void {
	if (child.pid === undefined) return;
	// Windows knows no process groups: there the child itself is all that can be named.
	const target = process.platform === 'win32' ? child.pid : -child.pid;
	try {
		process.kill(target, 'SIGKILL');
	} catch {
		// Nothing is left, which is the usual case.
	}
}
