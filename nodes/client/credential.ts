import type { ApiVersion } from './api';

/** The checked credential: what a request needs and nothing else (docs/maintainers/api.md, Credentials). */
export interface ServiceCredential {
	/** Without a slash at its end. */
	baseUrl: string;
	apiVersion: ApiVersion;
	/** Empty only for a v1 credential that has just a workspace code. */
	bearer: string;
	/** V1 only; empty when not set. */
	workspaceCode: string;
	/** Every value that must never be shown. */
	secrets: string[];
}

/** Thrown for a credential that cannot be used. Its texts name the field and the fix, never a value of a secret. */
export class CredentialProblem extends Error {
	readonly problem: string;
	readonly fix: string;

	/** @param problem a sentence without its full stop */
	constructor(problem: string, fix: string) {
		super(`${problem}. ${fix}`);
		this.problem = problem;
		this.fix = fix;
	}
}

/** An address of the web (http or https), which may be told relative to another; undefined for anything else. */
export function webAddressOf(text: unknown, from?: string): URL | undefined {
	if (typeof text !== 'string' || !URL.canParse(text, from)) return undefined;
	const url = new URL(text, from);
	return /^https?:$/.test(url.protocol) ? url : undefined;
}

function normaliseBaseUrl(value: unknown): string {
	const badUrl = (what: string, fix: string) =>
		new CredentialProblem(`The 'Base URL' of the credential ${what}`, fix);
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
	if (/\/v[12]\/*$/i.test(url.pathname)) {
		const fix = `Leave that out: ${address.slice(0, -'/v1'.length)}`;
		throw badUrl('must not end in /v1 or /v2', fix);
	}
	return address;
}

/** A pasted key or token without spaces around it, and without a `Bearer ` that came along with it. */
function cleanSecret(value: unknown): string {
	return typeof value === 'string' ? value.trim().replace(/^bearer(\s+|$)/i, '') : '';
}

/** A header can hold printable ASCII only; anything else is a key that was copied wrongly. */
function assertHeaderValue(value: string, field: string): void {
	if (!/^[\x21-\x7e]*$/.test(value)) {
		throw new CredentialProblem(
			`The ${field} of the credential contains a space, a line break or another character that keys never have`,
			'Copy it again from the workspace developer settings.',
		);
	}
}

/** n8n gives no text where an expression gives nothing. */
function refuseNothing(data: Readonly<Record<string, unknown>>, labels: Record<string, string>) {
	for (const [name, label] of Object.entries(labels)) {
		if (!Object.hasOwn(data, name) || (data[name] ?? null) !== null) continue;
		throw new CredentialProblem(
			`The expression of '${label}' in the credential returns nothing`,
			'Fill in what it reads for this item, or correct it.',
		);
	}
}

const KINDS = {
	v1: { field: 'Access Token', value: 'accessToken' },
	v2: { field: 'API Key', value: 'apiKey' },
} as const;

/** Reads the fields of a decrypted credential. Throws CredentialProblem naming the field that is missing or malformed. */
export function readCredential(data: Readonly<Record<string, unknown>>): ServiceCredential {
	const apiVersion: ApiVersion = data.apiVersion === 'v1' ? 'v1' : 'v2';
	const { field, value } = KINDS[apiVersion];
	refuseNothing(data, { baseUrl: 'Base URL', [value]: field });
	const baseUrl = normaliseBaseUrl(data.baseUrl);
	const bearer = cleanSecret(data[value]);
	const workspaceCode = apiVersion === 'v1' ? cleanSecret(data.workspaceCode) : '';
	assertHeaderValue(bearer, field);
	assertHeaderValue(workspaceCode, 'Workspace Code');
	if (bearer === '' && workspaceCode === '') {
		throw new CredentialProblem(
			`The ${field} of the credential is empty`,
			'Create one in the workspace developer settings and paste it here.',
		);
	}
	const secrets = [bearer, workspaceCode].filter((secret) => secret !== '');
	return { baseUrl, apiVersion, bearer, workspaceCode, secrets };
}

/** The headers for a request to an address. The workspace code goes to the two v1 AI paths of its own service only. */
export function authenticationHeaders(credential: ServiceCredential, url: string) {
	const { baseUrl, bearer, workspaceCode } = credential;
	const address = url.split(/[?#]/, 1)[0];
	const needsCode = ['/v1/enrich', '/v1/score'].some((path) => address === `${baseUrl}${path}`);
	return {
		...(bearer !== '' && { Authorization: `Bearer ${bearer}` }),
		...(workspaceCode !== '' && needsCode && { 'X-Workspace-Code': workspaceCode }),
	};
}
