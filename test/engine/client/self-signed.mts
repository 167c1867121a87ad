import { generateKeyPairSync, sign } from 'node:crypto';

/** One value in DER, by its tag and what is in it. */
function der(tag: number, ...parts: Buffer[]): Buffer {
	const body = Buffer.concat(parts);
	const { length } = body;
	const size =
		length < 128 ? [length] : length < 256 ? [129, length] : [130, length >> 8, length & 255];
	return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);

/** A key for localhost, made anew, and a certificate that nobody vouches for. */
export function selfSigned(): { key: string; cert: string } {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const algorithm = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
	const localhost = der(0x0c, Buffer.from('localhost'));
	const name = sequence(der(0x31, sequence(Buffer.from('0603550403', 'hex'), localhost)));
	const dates = ['200101000000Z', '490101000000Z'].map((date) => der(0x17, Buffer.from(date)));
	const subject = [name, publicKey.export({ type: 'spki', format: 'der' })];
	const signed = sequence(
		der(2, Buffer.from([1])),
		algorithm,
		name,
		sequence(...dates),
		...subject,
	);
	const signature = der(3, Buffer.from([0]), sign('sha256', signed, privateKey));
	const whole = sequence(signed, algorithm, signature).toString('base64');
	return {
		key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
		cert: `-----BEGIN CERTIFICATE-----\n${whole}\n-----END CERTIFICATE-----`,
	};
}
