import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
	Icon,
} from 'n8n-workflow';

import {
	authenticationHeaders,
	CREDENTIAL_KINDS,
	DEFAULT_VERSION,
	readCredential,
	VERSION_PATHS,
	type ApiVersion,
} from '../nodes/shared/client/credential';
import { failureClassOf } from '../nodes/shared/client/failure-classes';
import { ServiceFailure } from '../nodes/shared/client/failures';
import { explain } from '../nodes/shared/errors/explain';
import { choice, link, notice, text, yesOrNo } from '../nodes/shared/panel/parameter-builders';

const KIND_ENTRIES = Object.entries(CREDENTIAL_KINDS) as Array<
	[ApiVersion, (typeof CREDENTIAL_KINDS)[ApiVersion]]
>;
const FIELDS = [
	...['baseUrl', 'apiVersion', 'workspaceCode', 'ignoreSslIssues'],
	...KIND_ENTRIES.map(([, { field }]) => field),
];
const WITH_CODE = KIND_ENTRIES.filter(([, { pathsOfCode }]) => pathsOfCode.length > 0).map(
	([version]) => version,
);
/**
 * Display condition for fields with an expression, which n8n stores as text that begins with =. It does not use a
 * regular expression, because n8n aborts regular expressions after 250 ms, which can happen on a busy server.
 */
const isExpression = { _cnd: { between: { from: '=', to: '=\uffff' } } } as const;

const REDIRECT =
	"The service redirects requests to this 'Base URL'. Open it in a browser to see where it leads (often https:// instead of http://), and enter that address.";
const NOT_ACCEPTED =
	"The service did not accept the request. Check whether the 'Base URL' has to start with https:// instead of http://.";
const REFUSED =
	'The service, or a firewall or proxy in front of it, refuses this request (HTTP 403). Check the permission level of the key or token in the workspace developer settings, and whether this n8n may reach the service.';
const WEB_PAGE = `This 'Base URL' leads to a web page, not to a Workspace Data Service. Enter the address of its API: everything before ${VERSION_PATHS}.`;
const UNSUCCESSFUL =
	'The service answered, but did not accept the test. Create a new key or token in the workspace developer settings and enter it here.';

/**
 * HTTP 4xx statuses that the credential test explains, because n8n's own text says too little. Their cause is the
 * credential or the service, not a single request. Status 404 is included, because its cause is uncertain.
 */
const STATUSES_WITH_OWN_TEXT = Array.from({ length: 100 }, (_none, at) => 400 + at).filter(
	(statusCode) =>
		statusCode === 404 ||
		failureClassOf({ kind: 'status', facts: { statusCode } }).scope !== 'request',
);

/** Request options with the names that they have in n8n's HTTP Request node. */
type LegacyOptions = { uri?: string } & Partial<
	Record<'followRedirect' | 'followAllRedirects' | 'rejectUnauthorized', boolean>
>;

/** Credential with a key or token of one workspace (docs/maintainers/api.md, Credentials). */
export class WorkspaceDataApi implements ICredentialType {
	name = 'workspaceDataApi';
	displayName = 'Workspace Data API';
	documentationUrl = 'https://n8n-nodes-workspace-data.example/#credentials';
	icon: Icon = {
		light: 'file:../icons/workspaceData.svg',
		dark: 'file:../icons/workspaceData.dark.svg',
	};

	properties: INodeProperties[] = [
		text('Base URL', 'baseUrl', {
			required: true,
			placeholder: 'e.g. https://api.example.com',
			hint: `Leave out ${VERSION_PATHS}`,
			description: `Address of your Workspace Data Service: everything before ${VERSION_PATHS}`,
		}),
		choice('API Version', 'apiVersion', {
			choices: Object.fromEntries(
				KIND_ENTRIES.map(([version, { choice: shown }]) => [version, shown]),
			),
			default: DEFAULT_VERSION,
			description: 'Which kind of key you created in the workspace developer settings',
		}),
		...KIND_ENTRIES.map(([version, { label, field }]) => secretField([version], label, field)),
		{
			...secretField(WITH_CODE, 'Workspace Code', 'workspaceCode'),
			required: false,
			description:
				"Only for internal tools of the service's operator. It is sent as X-Workspace-Code with Enrich and Score of v1. Otherwise, leave it empty.",
		},
		yesOrNo('Ignore SSL Issues (Insecure)', 'ignoreSslIssues', {
			default: false,
			description:
				'Whether to connect even if the certificate of the service cannot be verified. Anyone on the network path could then read the key and all data. For your own certificate, the environment variable NODE_EXTRA_CA_CERTS of n8n is safer.',
		}),
		notice(
			'codesOfTest',
			// If the test gets no response, n8n shows only an error code. A node's test function could explain the
			// code, but the lint rule no-deprecated-workflow-functions forbids the only request helper that it can use.
			`Does the test show only a code, such as ENOTFOUND? ${link('troubleshooting.md#the-test-of-the-credential-says-only-a-code', 'What it means')}`,
		),
		{
			displayName: 'Same for All Items',
			name: 'sameForAllItems',
			type: 'hidden',
			default: true,
			// Hide this field if another field is an expression. n8n then removes it, which tells the node that each
			// item may have a different key.
			displayOptions: { hide: Object.fromEntries(FIELDS.map((name) => [name, [isExpression]])) },
		},
	];

	/**
	 * Adds the credential's headers to a request. A function is about 1 ms faster than expressions. It is a property,
	 * because n8n's editor ignores methods and would not offer the credential in HTTP Request.
	 */
	authenticate = async (
		data: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions & LegacyOptions,
	): Promise<IHttpRequestOptions> => {
		const { uri = '', url = uri } = options;
		const headers = authenticationHeaders(readCredential(data), url);
		options.headers = { ...options.headers, ...headers };
		// Compare with true, because text such as "false" must not turn off certificate checks.
		if (data.ignoreSslIssues === true) {
			options.skipSslCertificateValidation = true;
			options.rejectUnauthorized = false;
		}
		// Do not follow redirects with a workspace code, because n8n would send this header to other hosts too.
		if (headers['X-Workspace-Code'] !== undefined) {
			options.disableFollowRedirect = true;
			options.followRedirect = options.followAllRedirects = false;
		}
		return options;
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ ($credentials.baseUrl || "").trim().replace(/\\/+$/, "") }}',
			url: `={{ "/" + ($credentials.apiVersion || "${DEFAULT_VERSION}") + "/public/auth/whoami" }}`,
			timeout: 30_000,
			// Do not follow redirects, because n8n would send the key to the new address, even on another host.
			disableFollowRedirect: true,
		},
		rules: [
			...[300, 301, 302, 303, 304, 305, 306, 307, 308].map((status) => ruleOf(status, REDIRECT)),
			...Array.from({ length: 100 }, (_none, at) => ruleOf(500 + at, wordsOf(500 + at))),
			ruleOf(400, NOT_ACCEPTED),
			ruleOf(401, `${wordsOf(401)} If a proxy requires a login, allow n8n through it.`),
			ruleOf(403, REFUSED),
			// If a status also has a rule above, n8n uses the rule above, because it comes first.
			...STATUSES_WITH_OWN_TEXT.map((status) => ruleOf(status, wordsOf(status))),
			// A body that is not JSON reaches these rules as text. A web page begins with one of these characters.
			...['<', '\n', '\r', '\t', ' ', '\ufeff'].map((first) => ruleOf(first, WEB_PAGE, '[0]')),
			ruleOf(false, UNSUCCESSFUL, 'success'),
		] as NonNullable<ICredentialTestRequest['rules']>,
	};
}

function secretField(apiVersion: ApiVersion[], displayName: string, name: string): INodeProperties {
	return text(displayName, name, {
		typeOptions: { password: true },
		required: true,
		displayOptions: { show: { apiVersion } },
		description:
			'Copy it from the workspace developer settings. The service shows it only once, when it is created.',
	});
}

/** Returns the error text that the nodes show for an HTTP status, on one line. */
function wordsOf(statusCode: number): string {
	const failure = new ServiceFailure('status', { statusCode });
	const { message, description } = explain(failure, { hasRequestOptions: false });
	return `${message}. ${description.replaceAll('\n', ' ')}`;
}

/** Returns a rule for the HTTP status `value`, or for a successful response whose body has `value` under `key`. */
function ruleOf(value: unknown, message: string, key?: string) {
	const type = key === undefined ? 'responseCode' : 'responseSuccessBody';
	return { type, properties: { key, value, message } };
}
