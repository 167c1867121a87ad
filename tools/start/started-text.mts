import { webhookHeader } from '../../test/n8n/imports.mts';
import { owner } from '../../test/n8n/rest.mts';
import type { N8nServer } from '../../test/n8n/server.mts';
import { credentialLines } from '../../test/sandbox/authentication.mts';

/**
 * Returns the text that `npm start` prints at the end: where to sign in, the keys of the sandbox, and what to do first.
 */
export const startedText = (server: Pick<N8nServer, 'url' | 'logFile'>, sandboxUrl: string) => `
n8n's editor   ${server.url}
  e-mail       ${owner.email}
  password     ${owner.password}
sandbox        ${sandboxUrl}
n8n's log      ${server.logFile}

Keys of the sandbox, to try other credentials with (fake, they open nothing but this sandbox):
${credentialLines()
	.map((line) => `  ${line}`)
	.join('\n')}

A request to the webhook of "Enrich a company on webhook", once you have published that workflow:
  curl ${server.url}/webhook/enrich-company -H '${webhookHeader.name}: ${webhookHeader.value}' -H 'Content-Type: application/json' -d '{"domain": "company.example"}'

First: sign in, open the workflow "Scheduled export of companies", double-click "Get all companies", choose
"Execute step".

Ctrl-C stops everything.`;
