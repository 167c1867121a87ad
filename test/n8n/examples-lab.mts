import type { Examples } from './imports.mts';
import type { Lab } from './lab.mts';
import type { MailServer } from './mail-server.mts';
import type { ScriptedModel } from './scripted-model.mts';

/** What the tests of one example need. */
export interface ExampleLab {
	lab: Lab;
	examples: Examples;
	mail: MailServer;
	model: ScriptedModel;
}
