import { afterAll, afterEach, beforeAll } from 'vitest';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { send, type ClientAnswer } from '../../sandbox/test-client.mts';

/** Where companies are listed. */
export const companies = '/v2/public/companies';
/** What a call may send. */
export const acme = { domain: 'acme.example' };

/** A sandbox of 40 companies for one test file. */
export interface UnkindService {
	/** The running sandbox; only inside tests. */
	readonly sandbox: Sandbox;
	/** Lists companies with parameters as they stand in an address. */
	list(parameters: string, credential?: string): Promise<ClientAnswer>;
}

/** Starts a sandbox before a file's tests and stops it after them; it is kind again after each test. */
export function useUnkindService(): UnkindService {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ companies: 40, orders: 5, items: 5, deals: 5 });
	});
	afterEach(() => {
		sandbox.setUnkind({});
		sandbox.clearFaults();
		sandbox.clearRequests();
	});
	afterAll(() => sandbox.stop());
	return {
		get sandbox() {
			return sandbox;
		},
		list: async (parameters, credential) =>
			await send(sandbox, `${companies}?${parameters}`, credential ? { credential } : {}),
	};
}
