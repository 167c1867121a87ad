/** The members of a child process that are needed to end it. */
interface Child {
	pid?: number | undefined;
	once(event: 'close', listener: () => void): unknown;
}

/** Child processes that are still running. */
const running = new Set<Child>();
const killAll = () => running.forEach(killGroup);
process.on('exit', killAll);

// Also kill the child processes after a signal, such as the signal that stops a test run at its timeout. Node.js emits
// no "exit" event if a signal ends the process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	const endAtOnce = () => {
		// Do nothing if the process has another signal listener, as in `npm start`. That listener stops everything in
		// order.
		if (process.listenerCount(signal) > 1) return;
		killAll();
		process.off(signal, endAtOnce);
		process.kill(process.pid, signal);
	};
	process.on(signal, endAtOnce);
}
// Each test file runs in its own process, which gets only a "disconnect" event if the test run is killed.
process.once('disconnect', killAll);

/**
 * Kills a child process and all its own children when the current process ends for any reason. Otherwise npm, for
 * example, would continue an installation in the background.
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
