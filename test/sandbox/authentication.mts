import { ApiError, badRequest } from './api-error.mts';

/** The kinds of credential: what an error calls them, their header (as Node.js has it), and what stands before them there. */
const SANDBOX_CREDENTIAL_KINDS = {
	v1: { words: 'a developer access token (v1)', header: 'authorization', before: 'Bearer ' },
	v2: { words: 'a developer API key (v2)', header: 'authorization', before: 'Bearer ' },
};
export type Kind = keyof typeof SANDBOX_CREDENTIAL_KINDS;

/** Who sent a request. */
export interface Caller {
	/** Safe to show: never the credential itself. */
	label: string;
	version: Kind;
	/** What Who Am I says to it: never the credential itself. */
	whoAmI: object;
	/** v1 only. */
	scopes: string[];
	/** v2 only. */
	level?: 'full' | 'regular';
	/** True for the second workspace. */
	isOtherWorkspace?: boolean;
}

/** What an endpoint asks of its caller. */
export interface Access {
	version: Kind;
	/** True where the X-Workspace-Code header may stand in for the token. */
	acceptsWorkspaceCode?: boolean;
}

const allScopes = ['companies:read', 'companies:write', 'cases:read'];

function v1(label: string, scopes: string[]): Caller {
	return { label, version: 'v1', whoAmI: { token: `Sandbox ${label}`, scopes }, scopes };
}

function v2(label: string, level: 'full' | 'regular'): Caller {
	const whoAmI = { permission_level: level, key_name: `Sandbox ${label}` };
	return { label, version: 'v2', whoAmI, scopes: [], level };
}

/** By name: the value, what it is in the words of README's section on credentials, and who sends it. */
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
	// No kind of credential: it stands in for a token.
	workspaceCode: ['fake-workspace-code', 'workspace code (v1)', undefined],
} satisfies Record<string, [value: string, description: string, caller: Caller | undefined]>;

/** The credentials of every sandbox. They are obviously fake and open nothing else. */
export const sandboxCredentials = Object.fromEntries(
	Object.entries(credentials).map(([name, [value]]) => [name, value]),
) as Record<keyof typeof credentials, string>;

/** A line for each of the sandbox's credentials, for people: of which kind and level it is, and the credential. */
export function credentialLines(): string[] {
	const all = Object.values(credentials);
	const width = Math.max(...all.map(([, description]) => description.length)) + 1;
	return all.map(([value, description]) => `${`${description}:`.padEnd(width)}  ${value}`);
}

type Headers = Record<string, string | string[] | undefined>;

/** The versions of the API, one for each kind of credential. */
export const kinds = Object.keys(SANDBOX_CREDENTIAL_KINDS) as Kind[];
const credentialHeaders = [
	...new Set(Object.values(SANDBOX_CREDENTIAL_KINDS).map(({ header }) => header)),
];

/** The header in which a credential is sent: that of its kind, and for an unknown one that of an API key. */
export function headerOf(credential: string): Record<string, string> {
	const caller = Object.values(credentials).find(([known]) => known === credential)?.[2];
	const { header, before } = SANDBOX_CREDENTIAL_KINDS[caller?.version ?? 'v2'];
	return { [header]: before + credential };
}

function hasCredential(headers: Headers): boolean {
	return credentialHeaders.some((name) => headers[name] !== undefined);
}

/** In the header of another kind, no credential is known. */
function callerOf(headers: Headers): Caller | undefined {
	const isSent = ([value]: readonly [string, ...unknown[]]) =>
		Object.entries(headerOf(value)).every(([name, sent]) => headers[name] === sent);
	return Object.values(credentials).find(isSent)?.[2];
}

/** A label for the log: which credential a request carried, without the credential. */
export function credentialLabel(headers: Headers): string {
	if (headers['x-workspace-code'] !== undefined) {
		const isRight = headers['x-workspace-code'] === sandboxCredentials.workspaceCode;
		return isRight ? 'workspace-code' : 'unknown';
	}
	if (!hasCredential(headers)) return 'none';
	return callerOf(headers)?.label ?? 'unknown';
}

/** Headers as text with the secrets replaced: safe to log. */
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
 * Finds who is calling. Throws a 401 for a missing, unknown or wrong kind of credential, and a 400 where the
 * workspace code arrives at an endpoint that has no use for it: that is a leak, and tests must see it.
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
	const { words, header, before } = SANDBOX_CREDENTIAL_KINDS[access.version];
	if (!hasCredential(headers)) {
		throw new ApiError(401, 'unauthorized', `Send the header "${header}: ${before}<credential>".`);
	}
	const caller = callerOf(headers);
	if (!caller) throw new ApiError(401, 'unauthorized', 'The credential is not known.');
	if (caller.version !== access.version) {
		throw new ApiError(
			401,
			'unauthorized',
			`This endpoint needs ${words}, and the credential is ${SANDBOX_CREDENTIAL_KINDS[caller.version].words}.`,
		);
	}
	return caller;
}

/** Throws a 403 where a v1 token lacks a scope. A v2 key has none to lack. */
export function requireScope(caller: Caller, scope: string): void {
	if (caller.version === 'v1' && !caller.scopes.includes(scope)) {
		throw new ApiError(403, 'forbidden', `The access token lacks the scope ${scope}.`);
	}
}

/** Throws a 403 where a v2 key has Regular access only. */
export function requireFullAccess(caller: Caller): void {
	if (caller.version === 'v2' && caller.level !== 'full') {
		throw new ApiError(403, 'forbidden', 'The API key has Regular access; this needs Full access.');
	}
}
