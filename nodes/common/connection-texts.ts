import type { FailureFacts } from '../client/failures';
import { NOT_TLS } from './transport';
import type { Text } from './list-texts';

export const PROXY = 'The proxy that n8n uses could not connect';
export const FIX_OF_PROXY = 'Check HTTP_PROXY and HTTPS_PROXY on the n8n server.';
export const IF_PROXY =
	'If n8n goes through a proxy, check HTTP_PROXY and HTTPS_PROXY on the n8n server.';

/** The texts of connections that could not be made, or broke off, by their kind. */
export const CONNECTION_TEXTS = {
	notSent: (facts) => {
		const [message, fix] = unconnected(facts);
		return [message, `${fix}\nNothing was sent${technically(facts)}.`];
	},
	insecure: (facts) => [
		`No secure connection to ${facts.host ?? 'the service'} could be made`,
		`${fixOfInsecure(facts.code)}\nNothing was sent${technically(facts)}.`,
	],
	connectionLost: (facts) => [
		`The connection to ${facts.host ?? 'the service'} broke off before the response was complete`,
		`Run this again in a while${technically(facts)}. If it happens every time, check whether the Base URL in the credential has to start with https:// in place of http://.`,
	],
} satisfies Record<string, (facts: FailureFacts) => Text>;

/** Why no connection was made, by what the network calls it. */
function unconnected({ host = 'the service', code, isOfProxy }: FailureFacts): Text {
	if (isOfProxy) return [PROXY, FIX_OF_PROXY];
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
		const name = host.replace(/:\d+$/, '');
		return [`Host "${name}" not found`, 'Check the spelling of the Base URL in the credential.'];
	}
	if (code === 'ECONNREFUSED') {
		return [
			`Connection refused by ${host}`,
			'Check the port of the Base URL in the credential, and that the service is running.',
		];
	}
	return [
		`No connection to ${host} could be made`,
		'Check the Base URL in the credential, and that n8n can reach this address.',
	];
}

/** Why a certificate was not accepted, by what the network calls it. */
function fixOfInsecure(code = ''): string {
	if (/EXPIRED/.test(code)) {
		return 'Ask the operator of the service to renew its certificate, which has expired.';
	}
	if (/ALTNAME/.test(code)) {
		return 'Check the host name of the Base URL in the credential: the certificate of the service is for another name.';
	}
	if (/SELF_SIGNED|UNABLE_TO|LEAF/.test(code)) {
		return 'Ask the administrator of this n8n to trust the certificate of the service, for example with NODE_EXTRA_CA_CERTS.';
	}
	// Only this one says that the other side speaks no TLS: for any other, http:// would give the key away.
	return code === NOT_TLS
		? 'Check whether the Base URL in the credential has to start with http:// in place of https://.'
		: 'Ask the operator of the service to check its certificate and its TLS settings.';
}

/** What an administrator may search for. */
const technically = ({ code }: FailureFacts): string => (code ? ` (${code})` : '');
