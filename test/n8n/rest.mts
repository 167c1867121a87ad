import { ExplainedError } from './errors.mts';
import { readExecution, type ExecutionAnswer } from './execution-answer.mts';
import { poll, waitUntil } from './poll.mts';
import type { Runtime } from './runtime.mts';

/** Made-up owner account of an n8n that only this machine can reach. */
export const owner = {
	email: 'owner@sandbox.example',
	password: 'Fake-password-1',
	firstName: 'Sandbox',
	lastName: 'Owner',
};

const publicationTimeoutMs = 30_000;
const unfinished = new Set(['new', 'running', 'waiting']);

/** Item of a node's output. */
export interface ExecutionItem {
	json: Record<string, unknown>;
	binary?: Record<string, { fileName?: string; mimeType: string; fileSize?: string; id?: string }>;
}

/** One run of a node within an execution. */
export interface NodeRun {
	data?: { main?: (ExecutionItem[] | null)[] };
}

export interface Execution {
	id: string;
	status: string;
	/** How the execution was started, such as `webhook`. */
	mode: string;
	/** Error that ended the execution. */
	error?: { message: string; description?: string; node?: { name: string } };
	/** All runs of each node, by the name of the node. */
	runs: Record<string, NodeRun[]>;
}

/** Error for an unsuccessful response of n8n, with the HTTP status. */
export class RestError extends Error {
	override name = 'RestError';
	readonly status: number;

	constructor(message: string, status: number) {
		super(message);
		this.status = status;
	}
}

/** Signed-in client for the REST API that n8n's editor uses. */
export type RestClient = ReturnType<typeof createClient>;

/**
 * Signs in to a running n8n. Creates the owner account first if n8n has none.
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

/** Creates a client for n8n's REST API that authenticates with a cookie. */
export function createClient(url: string, cookie: string, runtime: Runtime) {
	// Use a new connection for each request, because n8n may close an idle connection just when a request uses it.
	const headers = { cookie, connection: 'close' };

	/** Sends a request and returns `data` of the response. Throws RestError for an HTTP error. */
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

	/** Starts a workflow from a trigger, as the editor does. Returns the id of the execution. */
	async function startWorkflow(workflowId: string, name: string): Promise<string> {
		const route = `/workflows/${workflowId}/run`;
		const body = { triggerToStartFrom: { name } };
		return String((await request<{ executionId: string }>('POST', route, body)).executionId);
	}

	const ask = async (executionId: string): Promise<ExecutionAnswer | undefined> =>
		await request('GET', `/executions/${executionId}`);

	/** Waits until an execution has ended, and returns it. Throws after the timeout. */
	async function waitForExecution(executionId: string, timeoutMs = 300_000): Promise<Execution> {
		const ended = async (): Promise<Execution | undefined> => {
			const found = await ask(executionId).catch((error: unknown) => {
				// Retry after HTTP 503, which n8n returns if a long step has delayed the check of its database.
				if (error instanceof RestError && error.status === 503) return undefined;
				throw error;
			});
			return found && !unfinished.has(found.status) ? readExecution(found, runtime) : undefined;
		};
		return await poll(`the end of execution ${executionId}`, ended, timeoutMs);
	}

	/**
	 * Waits until n8n has registered the webhooks and triggers of a workflow, because n8n registers them after its
	 * response to the publish request.
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
		/** Cookie with which a browser is signed in. */
		cookie,
		/**
		 * Returns a running or finished execution. Returns undefined if n8n has deleted the execution, as it does with
		 * executions of sub-workflows that access data tables.
		 */
		readExecution: async (executionId: string): Promise<Execution | undefined> => {
			const found = await ask(executionId);
			return found && readExecution(found, runtime);
		},
		waitForExecution,
		startWorkflow,
		/** Runs a workflow, and waits until the execution succeeds or fails. */
		runWorkflow: async (workflowId: string, triggerName: string, timeoutMs?: number) =>
			await waitForExecution(await startWorkflow(workflowId, triggerName), timeoutMs),
		/**
		 * Returns the ids of a workflow's executions, newest first. Skips the sub-workflows that access data tables,
		 * because n8n lists them only for a while.
		 */
		listExecutions: async (workflowId: string): Promise<string[]> => {
			const query = new URLSearchParams({ filter: JSON.stringify({ workflowId }), limit: '100' });
			type Listed = { results: Array<{ id: string; mode: string }> };
			const { results } = await request<Listed>('GET', `/executions?${query}`);
			const own = results.filter(({ mode }) => mode !== 'integrated');
			// Remove duplicates. n8n queries running executions before finished ones, so an execution that ends in the
			// meantime is listed twice.
			return [...new Set(own.map(({ id }) => String(id)))];
		},
		/** Publishes a workflow, so that its webhooks and triggers are active. */
		activate: async (workflowId: string): Promise<void> => {
			const { versionId } = await request<{ versionId: string }>('GET', `/workflows/${workflowId}`);
			await request('POST', `/workflows/${workflowId}/activate`, { versionId });
			await waitForPublication(workflowId);
		},
		/** Unpublishes a workflow, so that its webhooks and triggers are no longer active. */
		deactivate: async (workflowId: string): Promise<void> => {
			await request('POST', `/workflows/${workflowId}/deactivate`, {});
			await waitForPublication(workflowId);
		},
		/**
		 * Downloads a file of an execution by the id that n8n gave the file. Throws RestError if n8n does not have the
		 * file.
		 */
		readFile: async (id: string): Promise<Response> => {
			const query = new URLSearchParams({ id, action: 'download' });
			const response = await fetch(`${url}/rest/binary-data?${query}`, { headers });
			if (response.ok) return response;
			throw new RestError(`n8n answered ${response.status} for a file`, response.status);
		},
		/** Runs the test of a stored credential, as the editor does. Returns its result. */
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

/** Sends a POST request with a JSON body and additional headers to a URL. */
export async function postJson(
	url: string,
	body: unknown,
	more: Record<string, string> = {},
): Promise<Response> {
	const headers = { 'content-type': 'application/json', ...more };
	return await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Returns the cookies that a response sets, in the form of a Cookie header. */
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

/** Returns the items of one output of a node, from all runs of the node. */
export function itemsOf(execution: Execution, nodeName: string, output = 0): ExecutionItem[] {
	return (execution.runs[nodeName] ?? []).flatMap((run) => run.data?.main?.[output] ?? []);
}

/** Returns the fields of the items of one output of a node. */
export const fieldsOf = (execution: Execution, nodeName = 'Workspace Data', output = 0) =>
	itemsOf(execution, nodeName, output).map(({ json }) => json);
