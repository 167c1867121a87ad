/** All kinds of credential. To add a kind, add an entry (docs/maintainers/adding-a-kind-of-credential.md). */
export const CREDENTIAL_KINDS = {
	v1: {
		/** Name and description of this kind as a choice in the credential's field API Version. */
		choice: ['V1 – Developer Access Token', 'For Enrich, Score and Who Am I only'],
		/** Long and short name for sentences. The short name follows "an", so it must begin with a vowel. */
		words: 'developer access token (v1)',
		shortWords: 'access token',
		/** Label and name of the credential field that contains the key or token. */
		label: 'Access Token',
		field: 'accessToken',
		/** Name of the authentication header, and the text before the key or token in this header. */
		header: ['Authorization', 'Bearer '],
		/** Paths to which the node also sends the workspace code. */
		pathsOfCode: ['/v1/enrich', '/v1/score'],
	},
	v2: {
		choice: ['V2 – Developer API Key', 'For every operation'],
		words: 'developer API key (v2)',
		shortWords: 'API key',
		label: 'API Key',
		field: 'apiKey',
		header: ['Authorization', 'Bearer '],
		pathsOfCode: [],
	},
} as const;

/** Version of the API, which also determines the kind of credential (docs/maintainers/api.md, Credentials). */
export type ApiVersion = keyof typeof CREDENTIAL_KINDS;
export const DEFAULT_VERSION: ApiVersion = 'v2';

const versions = Object.keys(CREDENTIAL_KINDS);
/** Path endings that a Base URL must not have, as text for a sentence: "/v1 or /v2". */
export const VERSION_PATHS = versions.map((version) => `/${version}`).join(' or ');
const ENDS_IN_VERSION = new RegExp(`/(?:${versions.join('|')})/*$`, 'i');

/** Values of a credential that `readCredential` has checked (docs/maintainers/api.md, Credentials). */
interface ServiceCredential {
	/** Base URL without a slash at its end. */
	baseUrl: string;
	apiVersion: ApiVersion;
	/** Access token or API key. Empty if the credential contains only a workspace code. */
	bearer: string;
	/** Workspace code. Empty if the user entered none, or if this kind of credential has none. */
	workspaceCode: string;
	/** Values that errors, hints and the log must never show: key or token, and workspace code. */
	secrets: string[];
}

/** Error for a missing or malformed credential field. Its texts name the field and the fix, and contain no secrets. */
export class CredentialProblem extends Error {
	readonly problem: string;
	readonly fix: string;

	/** @param problem sentence without the full stop at its end */
	constructor(problem: string, fix: string) {
		super(`${problem}. ${fix}`);
		this.problem = problem;
		this.fix = fix;
	}
}

/** Parses an http or https address, relative to `base` if given. Returns undefined for any other value. */
export function webAddressOf(text: unknown, base?: string): URL | undefined {
	if (typeof text !== 'string' || !URL.canParse(text, base)) return undefined;
	const url = new URL(text, base);
	return /^https?:$/.test(url.protocol) ? url : undefined;
}

function readBaseUrl(value: unknown): string {
	const badUrl = (problem: string, fix: string) =>
		new CredentialProblem(`The 'Base URL' of the credential ${problem}`, fix);
	const example = 'for example https://api.example.com';
	const url = webAddressOf(typeof value === 'string' ? value.trim() : undefined);
	if (url === undefined) {
		throw badUrl('is not a web address', `It must start with https:// (or http://), ${example}`);
	}
	if ([url.username, url.password, url.search, url.hash].some((part) => part !== '')) {
		throw badUrl(
			'must not contain a user name, a password, "?" or "#"',
			`Enter only the address, ${example}`,
		);
	}
	const address = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
	if (ENDS_IN_VERSION.test(url.pathname)) {
		const fix = `Enter it without this part: ${address.replace(ENDS_IN_VERSION, '')}`;
		throw badUrl(`must not end in ${VERSION_PATHS}`, fix);
	}
	return address;
}

/** Returns a pasted key without spaces around it and without the prefix `Bearer `, or '' if the value is not text. */
function cleanSecret(value: unknown): string {
	return typeof value === 'string' ? value.trim().replace(/^bearer(\s+|$)/i, '') : '';
}

/** Throws CredentialProblem if a key or workspace code contains a space or a character outside printable ASCII. */
function assertHeaderValue(value: string, field: string): void {
	if (!/^[\x21-\x7e]*$/.test(value)) {
		throw new CredentialProblem(
			`The ${field} of the credential contains a space, a line break or another character that no key has`,
			'Copy it again from the workspace developer settings.',
		);
	}
}

/** Throws CredentialProblem if a field's expression returned nothing, which n8n passes as null or undefined. */
function assertExpressionsReturn(
	data: Readonly<Record<string, unknown>>,
	labels: Record<string, string>,
) {
	for (const [name, label] of Object.entries(labels)) {
		if (!Object.hasOwn(data, name) || (data[name] ?? null) !== null) continue;
		throw new CredentialProblem(
			`The expression of '${label}' in the credential returns nothing`,
			'Fill in the value that it reads for this item, or correct the expression.',
		);
	}
}

/** Reads the fields of a decrypted credential. Throws a CredentialProblem that names the missing or malformed field. */
export function readCredential(data: Readonly<Record<string, unknown>>): ServiceCredential {
	const { apiVersion: chosen } = data;
	const apiVersion = isVersion(chosen) ? chosen : DEFAULT_VERSION;
	const { label, field, pathsOfCode } = CREDENTIAL_KINDS[apiVersion];
	assertExpressionsReturn(data, { baseUrl: 'Base URL', [field]: label });
	const baseUrl = readBaseUrl(data.baseUrl);
	const bearer = cleanSecret(data[field]);
	const workspaceCode = pathsOfCode.length > 0 ? cleanSecret(data.workspaceCode) : '';
	assertHeaderValue(bearer, label);
	assertHeaderValue(workspaceCode, 'Workspace Code');
	if (bearer === '' && workspaceCode === '') {
		throw new CredentialProblem(
			`The ${label} of the credential is empty`,
			'Create one in the workspace developer settings and paste it here.',
		);
	}
	const secrets = [bearer, workspaceCode].filter((secret) => secret !== '');
	return { baseUrl, apiVersion, bearer, workspaceCode, secrets };
}

/**
 * Returns the authentication headers for a full address (`url`). The workspace code is sent only to Enrich and Score of
 * v1, and only at the credential's Base URL.
 */
export function authenticationHeaders(credential: ServiceCredential, url: string) {
	const { baseUrl, apiVersion, bearer, workspaceCode } = credential;
	const { header, pathsOfCode } = CREDENTIAL_KINDS[apiVersion];
	const [name, prefix] = header;
	const address = url.split(/[?#]/, 1)[0];
	const needsCode = pathsOfCode.some((path) => address === `${baseUrl}${path}`);
	return {
		...(bearer !== '' && { [name]: `${prefix}${bearer}` }),
		...(workspaceCode !== '' && needsCode && { 'X-Workspace-Code': workspaceCode }),
	};
}

function isVersion(value: unknown): value is ApiVersion {
	return typeof value === 'string' && Object.hasOwn(CREDENTIAL_KINDS, value);
}
