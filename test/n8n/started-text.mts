import { credentialLines } from '../sandbox/authentication.mts';
import type { Sandbox } from '../sandbox/types.mts';
import { owner } from './rest.mts';
import type { N8nServer } from './server.mts';

/** What runs once everything of `npm start` is up. */
export interface Started {
	server: N8nServer;
	sandbox: Sandbox;
}

/** What `npm start` tells a person who is about to try the nodes: where to sign in, which keys there are, what to do first. */
export function startedText({
	server,
	sandbox,
}: {
	server: Pick<N8nServer, 'url' | 'logFile'>;
	sandbox: Pick<Sandbox, 'url'>;
}): string {
	return `
n8n's editor   ${server.url}
  e-mail       ${owner.email}
  password     ${owner.password}
sandbox        ${sandbox.url}
n8n's log      ${server.logFile}

Keys of the sandbox, to try other credentials with (fake, they open nothing but this sandbox):
${credentialLines()
	.map((line) => `  ${line}`)
	.join('\n')}

First: sign in, open the workflow "Scheduled export of companies", double-click "Get all companies", choose
"Execute step".

Ctrl-C stops everything.`;
}
