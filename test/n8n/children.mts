/** The part of a child process that is needed to end it. */
interface Child {
	pid?: number | undefined;
	once(event: 'close', listener: () => void): unknown;
}

/** What still runs. */
const running = new Set<Child>();
process.on('exit', () => running.forEach(killGroup));

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

/**
 * Kills what is left of a child's process group.
 *
 * @param child a child started with `detached: true`
 */
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
