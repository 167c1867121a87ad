import type { Sandbox } from '../sandbox/types.mts';
import type { Examples } from './imports.mts';
import type { MailServer } from './mail-server.mts';
import type { N8nUnderTest } from './n8n-under-test.mts';
import type { ScriptedModel } from './scripted-model.mts';

/** What the tests of the examples share: one n8n with all of them in it, and what they talk to. */
export interface ExampleLab {
	n8n: N8nUnderTest;
	examples: Examples;
	sandbox: Sandbox;
	mail: MailServer;
	model: ScriptedModel;
}
