import { ApiError, badRequest } from './api-error.mts';

/**
 * Kinds of credential. Each has a description for errors, the name of its header (in lower case, as in Node.js), and a
 * prefix that precedes the credential in the header.
 */
const SANDBOX_CREDENTIAL_KINDS = {
	v1: { description: 'a developer access token (v1)', header: 'authorization', prefix: 'Bearer ' },
	v2: { description: 'a developer API key (v2)', header: 'authorization', prefix: 'Bearer ' },
};
export type Kind = keyof typeof SANDBOX_CREDENTIAL_KINDS;

/** Sender of a request, identified by the credential in the request. */
export interface Caller {
	/** Name of the credential for logs, without the secret. */
	label: string;
	version: Kind;
	/** Data that the whoami endpoint returns for this credential, without the secret. */
	whoAmI: object;
	/** Scopes of a v1 token. Empty for a v2 key. */
	scopes: string[];
	/** Access level of a v2 key. Undefined for a v1 token. */
	level?: 'full' | 'regular';
	/** Whether the credential belongs to the second workspace. */
	isOtherWorkspace?: boolean;
}

/** Credential that an endpoint requires. */
export interface Access {
	version: Kind;
	/** Whether requests can have the X-Workspace-Code header instead of a token. */
	acceptsWorkspaceCode?: boolean;
}

const allScopes = ['companies:read', 'companies:write', 'cases:read'];

function v1(label: string, scopes: string[]): Caller {
	return { label, version: 'v1', whoAmI: { token: `Sandbox ${label}`, scopes }, scopes };
}

function v2(label: string, level: 'full' | 'regular'): Caller {
	const whoAmI = {
		workspace: 'Sandbox workspace',
		permission_level: level,
		key_name: `Sandbox ${label}`,
	};
	return { label, version: 'v2', whoAmI, scopes: [], level };
}

/**
 * Credentials by name. Each row has the secret, a description, and the sender. The descriptions use the words of the
 * README.
 */
const credentials = {
	v2Full: ['fake-v2-full-access-key', 'v2 key, Full access', v2('v2-full', 'full')],
	v2Regular: ['fake-v2-regular-access-key', 'v2 key, Regular access', v2('v2-regular', 'regular')],
	v2OtherWorkspace: [
		'fake-v2-other-workspace-key',
		'v2 key, other workspace',
		{ ...v2('v2-other-workspace', 'full'), isOtherWorkspace: true },
	],
	v1AllScopes: ['fake-v1-all-scopes-token', 'v1 token, all scopes', v1('v1-all-scopes', allScopes)],
	v1CompaniesRead: [
		'fake-v1-companies-read-token',
		'v1 token, companies:read only',
		v1('v1-companies-read', ['companies:read']),
	],
	v1NoScopes: ['fake-v1-no-scopes-token', 'v1 token, no scopes', v1('v1-no-scopes', [])],
	// This row has no sender, because `authenticate` creates the sender of a request with a workspace code.
	workspaceCode: ['fake-workspace-code', 'workspace code (v1)', undefined],
} satisfies Record<string, [value: string, description: string, caller: Caller | undefined]>;

/** Credentials that every sandbox accepts. They are fake and work nowhere else. */
export const sandboxCredentials = Object.fromEntries(
	Object.entries(credentials).map(([name, [value]]) => [name, value]),
) as Record<keyof typeof credentials, string>;

/** Returns one line of text for each credential, with its description and its secret. */
export function credentialLines(): string[] {
	const all = Object.values(credentials);
	const width = Math.max(...all.map(([, description]) => description.length)) + 1;
	return all.map(([value, description]) => `${`${description}:`.padEnd(width)}  ${value}`);
}

type Headers = Record<string, string | string[] | undefined>;

/** Versions of the API. Each has its own kind of credential. */
export const kinds = Object.keys(SANDBOX_CREDENTIAL_KINDS) as Kind[];
const credentialHeaders = [
	...new Set(Object.values(SANDBOX_CREDENTIAL_KINDS).map(({ header }) => header)),
];

/** Returns the HTTP header that sends this credential. An unknown credential is sent as a v2 API key. */
export function headerOf(credential: string): Record<string, string> {
	const caller = Object.values(credentials).find(([known]) => known === credential)?.[2];
	const { header, prefix } = SANDBOX_CREDENTIAL_KINDS[caller?.version ?? 'v2'];
	return { [header]: prefix + credential };
}

function hasCredential(headers: Headers): boolean {
	return credentialHeaders.some((name) => headers[name] !== undefined);
}

/** Returns the sender of a request. Returns undefined if the credential is unknown or is sent in the wrong header. */
function callerOf(headers: Headers): Caller | undefined {
	const isSent = ([value]: readonly [string, ...unknown[]]) =>
		Object.entries(headerOf(value)).every(([name, sent]) => headers[name] === sent);
	return Object.values(credentials).find(isSent)?.[2];
}

/** Returns a label for the credential of a request. The label does not contain the credential, so it can be logged. */
export function credentialLabel(headers: Headers): string {
	if (headers['x-workspace-code'] !== undefined) {
		const isRight = headers['x-workspace-code'] === sandboxCredentials.workspaceCode;
		return isRight ? 'workspace-code' : 'unknown';
	}
	if (!hasCredential(headers)) return 'none';
	return callerOf(headers)?.label ?? 'unknown';
}

/** Returns the headers with labels in place of secrets, so that they can be logged. */
export function withoutSecrets(headers: Headers): Record<string, string> {
	const safe: Record<string, string> = {};
	for (const [name, value] of Object.entries(headers)) {
		if (value !== undefined) safe[name] = String(value);
	}
	for (const name of credentialHeaders)
		if (name in safe) safe[name] = callerOf(headers)?.label ?? 'unknown';
	if ('x-workspace-code' in safe) safe['x-workspace-code'] = 'present';
	return safe;
}

/**
 * Returns the sender of a request.
 * @throws ApiError 401 for a missing or unknown credential, or a credential of the wrong kind
 * @throws ApiError 400 for a workspace code at an endpoint that does not use one, because the client must not send this
 * secret there
 */
export function authenticate(headers: Headers, access: Access): Caller {
	if (headers['x-workspace-code'] !== undefined) {
		if (!access.acceptsWorkspaceCode) {
			throw badRequest('X-Workspace-Code must only be sent to /v1/enrich and /v1/score.');
		}
		if (headers['x-workspace-code'] !== sandboxCredentials.workspaceCode) {
			throw new ApiError(401, 'unauthorized', 'The workspace code is not known.');
		}
		return v1('workspace-code', allScopes);
	}
	const { description, header, prefix } = SANDBOX_CREDENTIAL_KINDS[access.version];
	if (!hasCredential(headers)) {
		throw new ApiError(401, 'unauthorized', `Send the header "${header}: ${prefix}<credential>".`);
	}
	const caller = callerOf(headers);
	if (!caller) throw new ApiError(401, 'unauthorized', 'The credential is not known.');
	if (caller.version !== access.version) {
		throw new ApiError(
			401,
			'unauthorized',
			`This endpoint needs ${description}, and the credential is ${SANDBOX_CREDENTIAL_KINDS[caller.version].description}.`,
		);
	}
	return caller;
}

/** Throws HTTP 403 if a v1 token lacks the scope. A v2 key has no scopes. */
export function requireScope(caller: Caller, scope: string): void {
	if (caller.version === 'v1' && !caller.scopes.includes(scope)) {
		throw new ApiError(403, 'forbidden', `The access token lacks the scope ${scope}.`);
	}
}

/** Throws HTTP 403 if a v2 key has only Regular access. */
export function requireFullAccess(caller: Caller): void {
	if (caller.version === 'v2' && caller.level !== 'full') {
		throw new ApiError(403, 'forbidden', 'The API key has Regular access; this needs Full access.');
	}
}
