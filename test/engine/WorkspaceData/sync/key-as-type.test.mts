import { expect, test } from 'vitest';
import { sandboxCredentials } from '../../../sandbox/server.mts';
import { useSandbox } from '../../harness/support.mts';

const bench = useSandbox({ companies: 3 });

test.each([
	['a key', (key: string) => key],
	['most of a key', (key: string) => key.slice(0, -6)],
])('shows no %s in the log that was entered as Object Type', async (_what, cut) => {
	const typed = cut(sandboxCredentials.v2Full);
	const parameters = {
		...{ resource: 'sync', operation: 'getChanges', outputAs: 'batch', progress: 'given' },
		objectType: { __rl: true, mode: 'name', value: typed },
	};
	// The test bench itself fails if the output of a run contains a key.
	const { logs } = await bench.run(parameters, { onError: 'continueRegularOutput' });
	const said = logs.map(({ message }) => message).join();
	expect(said).toContain('[hidden]');
	expect(said).not.toContain(typed);
});
