import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { poll } from './poll.mts';

const account = { user: 'n8n', password: 'fake-mail-password' };

/** Email server of the tests. It keeps the emails that it receives. */
export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/** Starts an email server that accepts emails from one account and does not forward them. */
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
		/** n8n credential for this email server, with the id that the examples use. */
		credential: {
			...{ id: 'mailServer', name: 'Mail server', type: 'smtp' },
			data: { ...account, ...connection },
		},
		/** Emails received since the last call of `clear`, oldest first. */
		mails,
		/** Returns the oldest email that this function has not returned yet. Waits for an email if there is none. */
		next: async (): Promise<Email> => {
			const mail = await poll('a mail', () => mails[returnedCount], 30_000);
			returnedCount++;
			return mail;
		},
		/** Deletes all emails. */
		clear: () => {
			mails.length = returnedCount = 0;
		},
		stop: () => new Promise<void>((resolve) => smtp.close(resolve)),
	};
}

/**
 * Opens a link in an email, as a person does in a browser.
 * @throws Error if no link contains this part, or if the response is an error
 */
export async function openLink({ html = '' }: Email, part: string): Promise<void> {
	const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link);
	const link = links.find((address) => address.includes(part));
	if (link === undefined) throw new Error(`No link with ${part} among ${links.join(' ')}`);
	// Send a browser's user agent. Otherwise n8n would treat the request as a link preview by an email program.
	const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
	const response = await fetch(link, { headers });
	if (!response.ok) throw new Error(`The link was answered with ${response.status}`);
}
