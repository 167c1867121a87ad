/**
 * Tests that the nodes keep no data of an execution or a poll in memory after its end. n8n runs for months, so such
 * data would accumulate.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';

import { redact } from '../../nodes/shared/client/secrets.ts';
import { execute } from '../../nodes/WorkspaceData/execute.ts';
import { runPoll } from '../../nodes/WorkspaceDataTrigger/run-poll.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const node = { name: 'Node', id: 'n1', type: 'workspaceData', alwaysOutputData: true };

/** Functions that run code of a node with a new object, and return a weak reference to this object. */
const users: Record<string, () => Promise<WeakRef<object>>> = {
	'the data of an execution': async () => {
		const data = { node };
		const values: Record<string, string> = { resource: 'company', operation: 'getAll' };
		const context = {
			getNode: () => ({ ...node, parameters: values }),
			getNodeParameter: (name: string) => values[name],
			getExecuteData: () => data,
			getInputData: () => [],
		};
		expect(await execute.call(context as never)).toEqual([[]]);
		return new WeakRef(data);
	},
	'the context of a poll': async () => {
		const parameters: Record<string, unknown> = {
			event: 'recordUpdated',
			objectType: 'company',
			startFrom: 'now',
		};
		const context = {
			getNode: () => ({ ...node, parameters }),
			getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
			getTimezone: () => 'UTC',
			getMode: () => 'trigger',
			getCredentials: async () => await Promise.reject(new Error('The credential is gone')),
		};
		await expect(runPoll(context as never)).rejects.toThrow();
		return new WeakRef(context);
	},
	'the secrets of an execution': async () => {
		const secrets = ['fake-key-0123456789'];
		expect(redact(`x ${secrets[0]}`, secrets)).toBe('x [hidden]');
		return new WeakRef(secrets);
	},
};

it.each(Object.keys(users))(
	'holds no reference to %s in memory after the run has ended',
	async (name) => {
		const reference = await users[name]();
		// Wait for the next task, because a weak reference keeps its object alive until the current task ends.
		await new Promise((resolve) => setImmediate(resolve));
		collectGarbage();
		expect(reference.deref()).toBeUndefined();
	},
);
