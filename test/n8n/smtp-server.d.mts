declare module 'smtp-server' {
	import type { Server } from 'node:net';

	/** A mail server; only what the tests use of it. */
	export class SMTPServer {
		/** Not connected to anything before `listen`. */
		server: Server;
		constructor(options: {
			hideSTARTTLS: boolean;
			allowInsecureAuth: boolean;
			onAuth(
				auth: { username?: string; password?: string },
				session: unknown,
				callback: (error: Error | null, user?: { user: string }) => void,
			): void;
			onData(
				stream: import('node:stream').Readable,
				session: unknown,
				callback: (error?: Error | null) => void,
			): void;
		});
		listen(port: number, host: string): Server;
		close(callback?: () => void): void;
	}
}
