import { expect, test } from 'vitest';
import { sandboxCredentials } from '../../../sandbox/server.mts';
import { useSandbox } from '../../harness/support.mts';

const bench = useSandbox({ companies: 3 });

test('a key that was entered as Object Type stands in no line of the log', async () => {
	const parameters = {
		...{ resource: 'sync', operation: 'getChanges', outputAs: 'batch', progress: 'given' },
		objectType: { __rl: true, mode: 'name', value: sandboxCredentials.v2Full },
	};
	// Each run is searched for keys.
	const { logs } = await bench.run(parameters, { onError: 'continueRegularOutput' });
	expect(logs.map(({ message }) => message).join()).toContain('[hidden]');
});
