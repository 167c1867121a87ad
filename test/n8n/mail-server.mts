import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { poll } from './poll.mts';

const account = { user: 'n8n', password: 'fake-mail-password' };

/** Mail server of the tests. It keeps the mails that it receives. */
export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/** Starts a mail server that accepts mails from one account and forwards none of them. */
export async function startMailServer() {
	const mails: Email[] = [];
	let returnedCount = 0;
	const smtp = new SMTPServer({
		hideSTARTTLS: true,
		allowInsecureAuth: true,
		onAuth: ({ username, password }, _session, callback) => {
			const isRight = username === account.user && password === account.password;
			callback(isRight ? null : new Error('Wrong user or password'), { user: account.user });
		},
		onData: (stream, _session, callback) => {
			void stream
				.toArray()
				.then((chunks: Buffer[]) => PostalMime.parse(Buffer.concat(chunks)))
				.then((mail) => {
					mails.push(mail);
					callback();
				}, callback);
		},
	});
	const listening = smtp.listen(0, '127.0.0.1');
	await once(listening, 'listening');
	const { port } = listening.address() as AddressInfo;
	const connection = {
		host: '127.0.0.1',
		port,
		secure: false,
		disableStartTls: true,
		hostName: '',
	};
	return {
		/** Credential of n8n for this mail server, with the id that the examples use. */
		credential: {
			...{ id: 'mailServer', name: 'Mail server', type: 'smtp' },
			data: { ...account, ...connection },
		},
		/** Mails received since the last call of `clear`, oldest first. */
		mails,
		/** Returns the oldest mail that this function has not returned yet. Waits for a mail if there is none. */
		next: async (): Promise<Email> => {
			const mail = await poll('a mail', () => mails[returnedCount], 30_000);
			returnedCount++;
			return mail;
		},
		/** Deletes all mails. */
		clear: () => {
			mails.length = returnedCount = 0;
		},
		stop: () => new Promise<void>((resolve) => smtp.close(resolve)),
	};
}

/**
 * Opens a link in a mail, as a person does in a browser.
 * @throws Error if no link contains this part, or if the response is an error
 */
export async function openLink({ html = '' }: Email, part: string): Promise<void> {
	const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link);
	const link = links.find((address) => address.includes(part));
	if (link === undefined) throw new Error(`No link with ${part} among ${links.join(' ')}`);
	// Send the user agent of a browser. Without it, n8n treats the request as a preview by a mail program.
	const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
	const response = await fetch(link, { headers });
	if (!response.ok) throw new Error(`The link was answered with ${response.status}`);
}
