import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * Starts a small HTTP service for behaviour that the sandbox lacks. `answer` writes the responses. Uses https if `tls`
 * is set. The service stops at the end of the test.
 */
export async function startService(
	answer: (...call: [...Parameters<RequestListener>, requests: number]) => void,
	tls?: { key: string; cert: string },
): Promise<{ url: string; port: number; requests: IncomingMessage[] }> {
	const requests: IncomingMessage[] = [];
	const listener: RequestListener = (request, response) =>
		answer(request, response, requests.push(request));
	const server = tls ? createSecureServer(tls, listener) : createServer(listener);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return { url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, port, requests };
}

/** Creates a private key and a self-signed certificate for localhost, both as PEM text. */
export function selfSigned(): { key: string; cert: string } {
	const { privateKey, publicKey } = generateKeyPairSync('ed25519');
	const hex = (text: string): string => Buffer.from(text).toString('hex');
	// Build the certificate as DER. The fixed lengths fit Ed25519 keys. Issuer and subject are the same, and the
	// certificate is valid from 2020 to 2049.
	const algorithm = '300506032b6570';
	const name = `30143112301006035504030c09${hex('localhost')}`;
	const dates = `301e170d${hex('200101000000Z')}170d${hex('490101000000Z')}`;
	const key = publicKey.export({ type: 'spki', format: 'der' }).toString('hex');
	const signed = `308182020101${algorithm}${name}${dates}${name}${key}`;
	const signature = sign(null, Buffer.from(signed, 'hex'), privateKey).toString('hex');
	const whole = Buffer.from(`3081cf${signed}${algorithm}034100${signature}`, 'hex');
	const cert = `-----BEGIN CERTIFICATE-----\n${whole.toString('base64')}\n-----END CERTIFICATE-----`;
	return { key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })), cert };
}
