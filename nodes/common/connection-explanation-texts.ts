import type { FailureFacts } from '../client/failures';

/** Why no connection was made, by what the network calls it. */
export function notSent({ host = 'the service', code }: FailureFacts): [what: string, fix: string] {
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
		const name = host.replace(/:\d+$/, '');
		return [`Host "${name}" not found`, 'Check the spelling of the Base URL in the credential.'];
	}
	if (code === 'ECONNREFUSED') {
		const fix =
			'Check the port of the Base URL in the credential, and that the service is running.';
		return [`Connection refused by ${host}`, fix];
	}
	const fix = 'Check the Base URL in the credential, and that n8n can reach this address.';
	return [`No connection to ${host} could be made`, fix];
}

/** Why a certificate was not accepted, by what the network calls it. */
export function fixOfInsecure(code = ''): string {
	if (/EXPIRED/.test(code)) {
		return 'Ask the operator of the service to renew its certificate, which has expired.';
	}
	if (/ALTNAME/.test(code)) {
		return 'Check the host name of the Base URL in the credential: the certificate of the service is for another name.';
	}
	if (/SELF_SIGNED|UNABLE_TO|LEAF/.test(code)) {
		return 'Ask the administrator of this n8n to trust the certificate of the service, for example with NODE_EXTRA_CA_CERTS.';
	}
	return 'Check whether the Base URL in the credential has to start with http:// in place of https://.';
}

/** What an administrator may search for. */
export const technically = (code: string | undefined): string => (code ? ` (${code})` : '');
