import { expect, test } from 'vitest';
import { sandboxCredentials } from '../../../sandbox/server.mts';
import { useSandbox } from '../../harness/support.mts';

const bench = useSandbox({ companies: 3 });

test.each([
	['an API key', (key: string) => key],
	['most of an API key', (key: string) => key.slice(0, -6)],
])('hides %s in the log if the user enters it as Object Type', async (_what, cut) => {
	const typed = cut(sandboxCredentials.v2Full);
	const parameters = {
		...{ resource: 'sync', operation: 'getChanges', outputAs: 'batch', progress: 'given' },
		objectType: { __rl: true, mode: 'name', value: typed },
	};
	// `bench.run` also fails the test if any output of the run contains the whole key.
	const { logs } = await bench.run(parameters, { onError: 'continueRegularOutput' });
	const said = logs.map(({ message }) => message).join();
	expect(said).toContain('[hidden]');
	expect(said).not.toContain(typed);
});
