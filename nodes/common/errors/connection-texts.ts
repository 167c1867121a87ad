// nodes/common/errors/: what a failure is called in n8n: the error, its words, and what to do.

import { NOT_TLS, type FailureFacts } from '../../client/failures';
import { IF_PROXY, type Text, type Writer } from './texts';

/** The texts where no connection was made. */
export const notSent: Writer = (facts) => {
	const [message, fixes] = unconnected(facts);
	return [message, fixes, nothingSent(facts)];
};

/** The texts where no secure connection was made. */
export const insecure: Writer = (facts) => {
	const { host = 'the service', code = '' } = facts;
	const [, fixes = []] =
		Object.entries(INSECURE).find(([part]) => new RegExp(part).test(code)) ?? [];
	return [`No secure connection to ${host} could be made`, fixes, nothingSent(facts)];
};

const nothingSent = ({ code }: FailureFacts): string =>
	`Nothing was sent${code ? ` (${code})` : ''}.`;

function unconnected({ host = 'the service', code = '', isOfProxy }: FailureFacts): Text {
	if (isOfProxy) {
		const fix = 'Check HTTP_PROXY and HTTPS_PROXY on the n8n server.';
		return ['The proxy that n8n uses could not connect', fix];
	}
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
		const name = host.replace(/:\d+$/, '');
		return [`Host "${name}" not found`, "Check the spelling of the 'Base URL' in the credential."];
	}
	const isRefused = code === 'ECONNREFUSED';
	return [
		isRefused ? `Connection refused by ${host}` : `No connection to ${host} could be made`,
		[
			`Check the ${isRefused ? 'port of the ' : ''}'Base URL' in the credential.`,
			isRefused ? 'Check that the service is running.' : 'Check that n8n can reach this address.',
			IF_PROXY,
		],
	];
}

/** What to do where there is no secure connection, by a part of what the network calls it. */
const INSECURE = {
	EXPIRED: 'Ask the operator of the service to renew its certificate, which has expired.',
	ALTNAME:
		"Check the host name of the 'Base URL' in the credential: the certificate of the service is for another name.",
	'SELF_SIGNED|UNABLE_TO|LEAF':
		'Ask the administrator of this n8n to trust the certificate of the service, for example with NODE_EXTRA_CA_CERTS.',
	// Only this one says that the other side speaks no TLS: for any other, http:// would give the key away.
	[NOT_TLS]: [
		'Check HTTP_PROXY and HTTPS_PROXY on the n8n server if n8n goes through a proxy: its own address may have to start with http://.',
		"Only without a proxy, check whether the 'Base URL' in the credential has to start with http:// in place of https://.",
	],
	'': 'Ask the operator of the service to check its certificate and its TLS settings.',
};
