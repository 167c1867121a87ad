import { sandboxCredentials } from './authentication.mts';

/** What each credential is, in the words of README's section on credentials. */
const meanings: Record<keyof typeof sandboxCredentials, string> = {
	v2Full: 'v2 key, Full access',
	v2Regular: 'v2 key, Regular access',
	v2OtherWorkspace: 'v2 key, other workspace',
	v1AllScopes: 'v1 token, all scopes',
	v1CompaniesRead: 'v1 token, companies:read only',
	v1NoScopes: 'v1 token, no scopes',
	workspaceCode: 'workspace code (v1)',
};

/** A line for each of the sandbox's credentials, for people: of which kind and level it is, and the credential. */
export function credentialLines(): string[] {
	const names = Object.keys(meanings) as (keyof typeof meanings)[];
	const width = Math.max(...names.map((name) => meanings[name].length)) + 1;
	return names.map((name) => `${`${meanings[name]}:`.padEnd(width)}  ${sandboxCredentials[name]}`);
}
