/** The members of a child process that are needed to end it. */
interface Child {
	pid?: number | undefined;
	once(event: 'close', listener: () => void): unknown;
}

/** Child processes that still run. */
const running = new Set<Child>();
const killAll = () => running.forEach(killGroup);
process.on('exit', killAll);

// End the children after a signal too, because a signal causes no "exit" event. For example, a test run is stopped
// after its timeout.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	const endAtOnce = () => {
		// Do nothing if the process has another signal listener, which stops everything in order (as in `npm start`).
		if (process.listenerCount(signal) > 1) return;
		killAll();
		process.off(signal, endAtOnce);
		process.kill(process.pid, signal);
	};
	process.on(signal, endAtOnce);
}
// Each test file runs in its own process. If the test run is killed, this process only gets the event "disconnect".
process.once('disconnect', killAll);

/**
 * Ends a child process and all its own children when the current process ends, for any reason. Otherwise npm, for
 * example, would continue an installation.
 * @param child child process started with `detached: true`, so that it has its own process group and does not receive
 * Ctrl-C
 */
export function endWithThisProcess(child: Child): void {
	running.add(child);
	child.once('close', () => running.delete(child));
}

/** Kills a child process and all other processes of its process group. */
export function killGroup(child: Child): void {
	if (child.pid === undefined) return;
	// Windows has no process groups, so only the child itself can be killed.
	const target = process.platform === 'win32' ? child.pid : -child.pid;
	try {
		process.kill(target, 'SIGKILL');
	} catch {
		// The processes have ended already, which is the usual case.
	}
}
