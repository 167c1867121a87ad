/** Part of a child process that is needed to end the process. */
interface Child {
	pid?: number | undefined;
	once(event: 'close', listener: () => void): unknown;
}

/** Child processes that still run. */
const running = new Set<Child>();
const killAll = () => running.forEach(killGroup);
process.on('exit', killAll);

// A signal ends a process without an "exit" event, for example when a test run is stopped after its timeout.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	const endAtOnce = () => {
		// Any other listener (`npm start` has one) stops everything in order instead.
		if (process.listenerCount(signal) > 1) return;
		killAll();
		process.off(signal, endAtOnce);
		process.kill(process.pid, signal);
	};
	process.on(signal, endAtOnce);
}
// Each test file runs in its own process. "disconnect" is the only sign that the test run was killed.
process.once('disconnect', killAll);

/**
 * Makes sure that a child process and all its own children end with this process, however this process ends. (npm goes
 * on installing if only its parent is killed.)
 * @param child child process started with `detached: true`, so that it has its own process group. Ctrl-C then reaches
 * only this process, which can stop its children in order.
 */
export function endWithThisProcess(child: Child): void {
	running.add(child);
	child.once('close', () => running.delete(child));
}

/** Kills all remaining processes in a child's process group. */
export function killGroup(child: Child): void {
	if (child.pid === undefined) return;
	// Windows has no process groups, so only the child itself can be killed.
	const target = process.platform === 'win32' ? child.pid : -child.pid;
	try {
		process.kill(target, 'SIGKILL');
	} catch {
		// Nothing is left, which is the usual case.
	}
}
