import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { poll } from './poll.mts';

const account = { user: 'n8n', password: 'fake-mail-password' };

/** A mail server on this machine that keeps what it gets. */
export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/** Starts a mail server that accepts mail from one account, and sends none on. */
export async function startMailServer() {
	const mails: Email[] = [];
	let given = 0;
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
		/** n8n's credential for it, by the id that the examples name. */
		credential: {
			...{ id: 'mailServer', name: 'Mail server', type: 'smtp' },
			data: { ...account, ...connection },
		},
		/** Every mail that arrived since the last `clear`, oldest first. */
		mails,
		/** The next mail that arrives, or has arrived and was not given yet. */
		next: async (): Promise<Email> => {
			const mail = await poll('a mail', () => mails[given], 30_000);
			given++;
			return mail;
		},
		/** Forgets the mails. */
		clear: () => {
			mails.length = given = 0;
		},
		stop: () => new Promise<void>((resolve) => smtp.close(resolve)),
	};
}

/**
 * Opens a link of a mail, as a person does in a browser.
 *
 * @throws where no link has that part, or it leads to no page
 */
export async function openLink({ html = '' }: Email, part: string): Promise<void> {
	const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link);
	const link = links.find((address) => address.includes(part));
	if (link === undefined) throw new Error(`No link with ${part} among ${links.join(' ')}`);
	// n8n takes what does not look like a browser for a preview of the mail.
	const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
	const response = await fetch(link, { headers });
	if (!response.ok) throw new Error(`The link was answered with ${response.status}`);
}
