import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
	Icon,
} from 'n8n-workflow';

import { authenticationHeaders, readCredential } from '../nodes/client/credential';
import { RATE_LIMIT_STATUSES } from '../nodes/client/api';

/** What n8n stores where a value is an expression. */
const isExpression = { _cnd: { regex: '^=' } } as const;

/** A v2 developer API key or a v1 developer access token of one workspace (docs/maintainers/api.md, Credentials). */
export class WorkspaceDataApi implements ICredentialType {
	name = 'workspaceDataApi';

	displayName = 'Workspace Data API';

	icon: Icon = {
		light: 'file:../icons/workspaceData.svg',
		dark: 'file:../icons/workspaceData.dark.svg',
	};

	documentationUrl = 'https://n8n-nodes-workspace-data.example/#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			hint: 'For https://api.example.com, this node calls https://api.example.com/v2/public/companies and the like',
			description:
				'Address of your Workspace Data Service: everything before /v1 or /v2, without a slash at the end',
		},
		{
			displayName: 'API Version',
			name: 'apiVersion',
			type: 'options',
			options: [
				{
					name: 'V2 – Developer API Key',
					value: 'v2',
					description: 'For every operation',
				},
				{
					name: 'V1 – Developer Access Token',
					value: 'v1',
					description: 'For Enrich, Score and Who Am I only',
				},
			],
			default: 'v2',
			description: 'Which kind of key you created in the workspace developer settings',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			displayOptions: { show: { apiVersion: ['v2'] } },
			description:
				'The developer API key from the workspace developer settings. The service shows it only once, when it is created.',
		},
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			displayOptions: { show: { apiVersion: ['v1'] } },
			description:
				'The developer access token from the workspace developer settings. The service shows it only once, when it is created.',
		},
		{
			displayName: 'Workspace Code',
			name: 'workspaceCode',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			displayOptions: { show: { apiVersion: ['v1'] } },
			description:
				"Only for the operator's own internal tooling: sent as X-Workspace-Code to v1 enrich and score. Leave empty otherwise.",
		},
		{
			displayName: 'Same for All Items',
			name: 'sameForAllItems',
			type: 'hidden',
			default: true,
			// Not for people. It is gone where a field is an expression, which may be another key for each input item.
			displayOptions: {
				hide: {
					baseUrl: [isExpression],
					apiVersion: [isExpression],
					apiKey: [isExpression],
					accessToken: [isExpression],
					workspaceCode: [isExpression],
				},
			},
		},
	];

	/**
	 * Adds the authentication headers. A function, since n8n needs about 1 ms to resolve an expression on every request.
	 * The code header never follows a redirect: n8n takes only its own headers off when the host changes.
	 */
	async authenticate(
		data: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const credential = readCredential(data);
		const url = options.baseURL === undefined ? options.url : joined(options.baseURL, options.url);
		const headers = authenticationHeaders(credential, url);
		options.headers = { ...options.headers, ...headers };
		if (headers['X-Workspace-Code'] !== undefined) options.disableFollowRedirect = true;
		return options;
	}

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ ($credentials.baseUrl || "").trim().replace(/\\/+$/, "") }}',
			url: '={{ "/" + ($credentials.apiVersion || "v2") + "/public/auth/whoami" }}',
			timeout: 30_000,
			// n8n would send the key along, also to another host.
			disableFollowRedirect: true,
		},
		rules: [
			...[301, 302, 303, 307, 308].map((value) => ({
				type: 'responseCode',
				properties: {
					value,
					message:
						'The service answers at this Base URL with a redirect to another address, which is not followed. Open the Base URL in a browser to see where it leads (often https:// in place of http://), and enter that.',
				},
			})),
			{
				type: 'responseCode',
				properties: {
					value: 401,
					message:
						'The service does not know this key or token. Check that it was copied whole, that API Version fits it (V2 for an API key, V1 for an access token), and that it was not deleted in the workspace developer settings.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 403,
					message:
						'The service knows this key or token but refuses it. Check its permission level in the workspace developer settings, or create a new one there.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 404,
					message:
						'There is no Workspace Data Service at this Base URL. Enter everything before /v1 or /v2, for example https://api.example.com',
				},
			},
			...RATE_LIMIT_STATUSES.map((value) => ({
				type: 'responseCode',
				properties: {
					value,
					message:
						'The service is receiving too many requests just now. Wait a minute and test the credential again.',
				},
			})),
			{
				type: 'responseSuccessBody',
				properties: {
					// The first character of a body that is text and not JSON.
					key: '[0]',
					value: '<',
					message:
						'A web page answers at this Base URL, and not a Workspace Data Service. Enter the address of its API: everything before /v1 or /v2.',
				},
			},
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'success',
					value: false,
					message:
						'The service answered, but says that the check failed. Create a new key or token in the workspace developer settings and try that one.',
				},
			},
		] as NonNullable<ICredentialTestRequest['rules']>,
	};
}

function joined(baseUrl: string, path: string): string {
	return /^https?:\/\//i.test(path)
		? path
		: `${baseUrl.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
}
