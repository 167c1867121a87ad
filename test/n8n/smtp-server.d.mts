declare module 'smtp-server' {
	type Next = (error?: Error | null, user?: { user: string }) => void;

	/** SMTP server, with the methods that the tests use. */
	export class SMTPServer {
		constructor(options: {
			hideSTARTTLS: boolean;
			allowInsecureAuth: boolean;
			onAuth(
				auth: { username?: string; password?: string },
				session: unknown,
				callback: Next,
			): void;
			onData(stream: import('node:stream').Readable, session: unknown, callback: Next): void;
		});
		listen(port: number, host: string): import('node:net').Server;
		close(callback?: () => void): void;
	}
}
