import { ExplainedError } from './errors.mts';
import { readExecution, type ExecutionAnswer } from './execution-answer.mts';
import { poll, waitUntil } from './poll.mts';
import type { Runtime } from './runtime.mts';

/** Made-up owner of a local n8n, which only this machine can reach. */
export const owner = {
	email: 'owner@sandbox.example',
	password: 'Fake-password-1',
	firstName: 'Sandbox',
	lastName: 'Owner',
};

const publicationTimeoutMs = 30_000;
const unfinished = new Set(['new', 'running', 'waiting']);

/** Item of an execution. */
export interface ExecutionItem {
	json: Record<string, unknown>;
	binary?: Record<string, { fileName?: string; mimeType: string; fileSize?: string; id?: string }>;
}

/** Run of a node. */
export interface NodeRun {
	data?: { main?: (ExecutionItem[] | null)[] };
}

export interface Execution {
	id: string;
	status: string;
	/** Way in which the execution was started, such as `webhook`. */
	mode: string;
	/** Message and description of the error that ended the execution, if any. */
	error?: { message: string; description?: string; node?: { name: string } };
	/** All runs of each node, by the node's name. */
	runs: Record<string, NodeRun[]>;
}

/** Error for a response of n8n with a status other than success. */
export class RestError extends Error {
	override name = 'RestError';
	readonly status: number;

	constructor(message: string, status: number) {
		super(message);
		this.status = status;
	}
}

/** Signed-in client of n8n's REST API, which n8n's editor uses. */
export type RestClient = ReturnType<typeof createClient>;

/**
 * Signs in to a running n8n. Creates the owner first if n8n has none.
 * @throws ExplainedError if the owner's password was changed
 */
export async function signIn(url: string, runtime: Runtime): Promise<RestClient> {
	const settings = await answer<{ userManagement: { showSetupOnFirstLoad?: boolean } }>(
		await fetch(`${url}/rest/settings`),
		'GET /settings',
	);
	const isNew = settings.userManagement.showSetupOnFirstLoad === true;
	const known = { emailOrLdapLoginId: owner.email, password: owner.password };
	const route = isNew ? 'owner/setup' : 'login';
	const response = await postJson(`${url}/rest/${route}`, isNew ? owner : known);
	if (response.status === 401) {
		throw new ExplainedError(
			`n8n refuses the sign-in ${owner.email} / ${owner.password}; its password was changed in the editor. Change it back, or delete ${runtime.userFolder} to start with a new database.`,
		);
	}
	await answer(response, 'sign in');
	return createClient(url, cookieOf(response), runtime);
}

/** Creates a client that n8n identifies by a cookie. */
export function createClient(url: string, cookie: string, runtime: Runtime) {
	// Use one connection per request, because n8n may close an idle connection just when the next request uses it.
	const headers = { cookie, connection: 'close' };

	/** Sends a request and returns the `data` of the response. Throws RestError for a status other than success. */
	async function request<Result>(method: string, route: string, body?: unknown): Promise<Result> {
		const response = await fetch(`${url}/rest${route}`, {
			method,
			headers: {
				...headers,
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		return await answer<Result>(response, `${method} ${route}`);
	}

	/** Starts a workflow from the named trigger as the editor does. Returns the id of the execution. */
	async function startWorkflow(workflowId: string, name: string): Promise<string> {
		const route = `/workflows/${workflowId}/run`;
		const body = { triggerToStartFrom: { name } };
		return String((await request<{ executionId: string }>('POST', route, body)).executionId);
	}

	const ask = async (executionId: string): Promise<ExecutionAnswer | undefined> =>
		await request('GET', `/executions/${executionId}`);

	/** Waits for the end of an execution and reads it. Throws after the timeout. */
	async function waitForExecution(executionId: string, timeoutMs = 300_000): Promise<Execution> {
		const ended = async (): Promise<Execution | undefined> => {
			const found = await ask(executionId).catch((error: unknown) => {
				// n8n responds with 503 while a long step keeps it from checking its database.
				if (error instanceof RestError && error.status === 503) return undefined;
				throw error;
			});
			return found && !unfinished.has(found.status) ? readExecution(found, runtime) : undefined;
		};
		return await poll(`the end of execution ${executionId}`, ended, timeoutMs);
	}

	/**
	 * Waits until n8n has registered the webhooks and triggers, which happens after its response to the publish
	 * request.
	 */
	async function waitForPublication(workflowId: string): Promise<void> {
		const isDone = async (): Promise<boolean> => {
			const { triggers, status } = await request<{
				status: string;
				triggers: Array<{ errorMessage: string | null }>;
			}>('GET', `/workflows/${workflowId}/publication-status`);
			const failed = triggers.find(({ errorMessage }) => errorMessage);
			if (failed) throw new Error(`n8n cannot start a trigger: ${failed.errorMessage}`);
			return status !== 'in_progress';
		};
		await waitUntil(`workflow ${workflowId} to be published`, isDone, publicationTimeoutMs);
	}

	return {
		request,
		/** Cookie for signing in a browser. */
		cookie,
		/**
		 * Reads an execution, finished or not. Returns undefined if n8n has deleted the execution, as it does with the
		 * sub-workflows that access data tables.
		 */
		readExecution: async (executionId: string): Promise<Execution | undefined> => {
			const found = await ask(executionId);
			return found && readExecution(found, runtime);
		},
		waitForExecution,
		startWorkflow,
		/** Runs a workflow and waits for its end, whether it succeeds or fails. */
		runWorkflow: async (workflowId: string, triggerName: string, timeoutMs?: number) =>
			await waitForExecution(await startWorkflow(workflowId, triggerName), timeoutMs),
		/**
		 * Returns the ids of a workflow's executions, newest first. Leaves out the sub-workflows that access data
		 * tables, because n8n lists them only for a while.
		 */
		listExecutions: async (workflowId: string): Promise<string[]> => {
			const query = new URLSearchParams({ filter: JSON.stringify({ workflowId }), limit: '100' });
			type Listed = { results: Array<{ id: string; mode: string }> };
			const { results } = await request<Listed>('GET', `/executions?${query}`);
			const own = results.filter(({ mode }) => mode !== 'integrated');
			// n8n queries running and finished executions one after the other. An execution that ends in between is
			// listed twice.
			return [...new Set(own.map(({ id }) => String(id)))];
		},
		/** Publishes a workflow, so that its webhooks and triggers work. */
		activate: async (workflowId: string): Promise<void> => {
			const { versionId } = await request<{ versionId: string }>('GET', `/workflows/${workflowId}`);
			await request('POST', `/workflows/${workflowId}/activate`, { versionId });
			await waitForPublication(workflowId);
		},
		/** Unpublishes a workflow. */
		deactivate: async (workflowId: string): Promise<void> => {
			await request('POST', `/workflows/${workflowId}/deactivate`, {});
			await waitForPublication(workflowId);
		},
		/** Reads a file of an execution by n8n's id of the file. Throws RestError if n8n does not have the file. */
		readFile: async (id: string): Promise<Response> => {
			const query = new URLSearchParams({ id, action: 'download' });
			const response = await fetch(`${url}/rest/binary-data?${query}`, { headers });
			if (response.ok) return response;
			throw new RestError(`n8n answered ${response.status} for a file`, response.status);
		},
		/** Returns the result of the editor's "Test" button for a stored credential. */
		testCredential: async (
			credentialId: string,
		): Promise<{ status: 'OK' | 'Error'; message: string }> => {
			const route = `/credentials/${credentialId}?includeData=true`;
			return await request('POST', '/credentials/test', {
				credentials: await request('GET', route),
			});
		},
	};
}

/** Sends JSON with these headers to any address. */
export async function postJson(
	url: string,
	body: unknown,
	more: Record<string, string> = {},
): Promise<Response> {
	const headers = { 'content-type': 'application/json', ...more };
	return await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Returns the cookie that a response sets. */
function cookieOf(response: Response): string {
	const lines = response.headers.getSetCookie();
	return lines.map((line) => line.split(';')[0]).join('; ');
}

async function answer<Result>(response: Response, requested: string): Promise<Result> {
	const text = await response.text();
	if (!response.ok) {
		throw new RestError(
			`n8n answered ${response.status} to ${requested}: ${text}`,
			response.status,
		);
	}
	return (JSON.parse(text) as { data: Result }).data;
}

/** Returns the items that a node returned, over all its runs. */
export function itemsOf(execution: Execution, nodeName: string, output = 0): ExecutionItem[] {
	return (execution.runs[nodeName] ?? []).flatMap((run) => run.data?.main?.[output] ?? []);
}

/** Returns the fields of the items that a node returned. */
export const fieldsOf = (execution: Execution, nodeName = 'Workspace Data', output = 0) =>
	itemsOf(execution, nodeName, output).map(({ json }) => json);
