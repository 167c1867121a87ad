import { ExplainedError } from './errors.mts';
import { readExecution, type ExecutionAnswer } from './execution-answer.mts';
import { poll, waitUntil } from './poll.mts';
import type { Runtime } from './runtime.mts';

/** The made-up owner of a local n8n. Nothing but this machine can reach it. */
export const owner = {
	email: 'owner@sandbox.example',
	password: 'Fake-password-1',
	firstName: 'Sandbox',
	lastName: 'Owner',
};

const publicationTimeoutMs = 30_000;
const unfinished = new Set(['new', 'running', 'waiting']);

/** One item of an execution. */
export interface ExecutionItem {
	json: Record<string, unknown>;
	binary?: Record<string, { fileName?: string; mimeType: string; fileSize?: string; id?: string }>;
}

/** One run of a node. */
export interface NodeRun {
	data?: { main?: (ExecutionItem[] | null)[] };
}

/** An execution. */
export interface Execution {
	id: string;
	status: string;
	/** What started it, such as `webhook`. */
	mode: string;
	/** Message and description of the error that ended it, where one did. */
	error?: { message: string; description?: string; node?: { name: string } };
	/** Every run of every node, by the node's name. */
	runs: Record<string, NodeRun[]>;
}

/** n8n's answer with a status that is not a success. */
export class RestError extends Error {
	override name = 'RestError';
	/** The HTTP status. */
	readonly status: number;

	constructor(message: string, status: number) {
		super(message);
		this.status = status;
	}
}

/** A signed-in client of n8n's REST API, the one that its editor uses. */
export type RestClient = ReturnType<typeof createClient>;

/**
 * Signs in to a running n8n, creating its owner first where there is none.
 *
 * @throws ExplainedError when the owner's password was changed
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

/** A client for whom n8n knows by a cookie. */
export function createClient(url: string, cookie: string, runtime: Runtime) {
	// One connection per request: n8n may close one that was idle just when the next request goes out on it.
	const headers = { cookie, connection: 'close' };

	/** Any request; returns the answer's `data`. Throws RestError for a status that is no success. */
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

	/** Starts a workflow from the named trigger as the editor does; gives the execution's id. */
	async function startWorkflow(workflowId: string, name: string): Promise<string> {
		const route = `/workflows/${workflowId}/run`;
		const body = { triggerToStartFrom: { name } };
		return String((await request<{ executionId: string }>('POST', route, body)).executionId);
	}

	const ask = async (executionId: string): Promise<ExecutionAnswer | undefined> =>
		await request('GET', `/executions/${executionId}`);

	/** Waits for the end of an execution and reads it. Throws when it takes longer than the timeout. */
	async function waitForExecution(executionId: string, timeoutMs = 300_000): Promise<Execution> {
		const ended = async (): Promise<Execution | undefined> => {
			const found = await ask(executionId).catch((error: unknown) => {
				// n8n says so while a long step keeps it from asking its database how it is.
				if (error instanceof RestError && error.status === 503) return undefined;
				throw error;
			});
			return found && !unfinished.has(found.status) ? readExecution(found, runtime) : undefined;
		};
		return await poll(`the end of execution ${executionId}`, ended, timeoutMs);
	}

	/** n8n registers webhooks and triggers after it has answered the request to publish. */
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
		/** The cookie to sign a browser in with. */
		cookie,
		/** An execution as far as it has come; undefined where n8n has it no longer, as the small ones that reach a data table. */
		readExecution: async (executionId: string): Promise<Execution | undefined> => {
			const found = await ask(executionId);
			return found && readExecution(found, runtime);
		},
		waitForExecution,
		startWorkflow,
		/** Runs a workflow and waits for its end, whatever that is. */
		runWorkflow: async (workflowId: string, triggerName: string, timeoutMs?: number) =>
			await waitForExecution(await startWorkflow(workflowId, triggerName), timeoutMs),
		/** Ids of a workflow's executions, newest first, without the node's steps in data tables: those come and go. */
		listExecutions: async (workflowId: string): Promise<string[]> => {
			const query = new URLSearchParams({ filter: JSON.stringify({ workflowId }), limit: '100' });
			type Listed = { results: Array<{ id: string; mode: string }> };
			const { results } = await request<Listed>('GET', `/executions?${query}`);
			const own = results.filter(({ mode }) => mode !== 'integrated');
			// n8n asks for running and ended ones one after the other: one that ends in between comes twice.
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
		/** A file that an execution put out, by n8n's id of it. Throws RestError when n8n does not have it. */
		readFile: async (id: string): Promise<Response> => {
			const query = new URLSearchParams({ id, action: 'download' });
			const response = await fetch(`${url}/rest/binary-data?${query}`, { headers });
			if (response.ok) return response;
			throw new RestError(`n8n answered ${response.status} for a file`, response.status);
		},
		/** What the editor's "Test" button on a stored credential says. */
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

/** Sends JSON to any address, with such headers. */
export async function postJson(
	url: string,
	body: unknown,
	more: Record<string, string> = {},
): Promise<Response> {
	const headers = { 'content-type': 'application/json', ...more };
	return await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** The cookie that an answer sets. */
function cookieOf(response: Response): string {
	const lines = response.headers.getSetCookie();
	return lines.map((line) => line.split(';')[0]).join('; ');
}

async function answer<Result>(response: Response, asked: string): Promise<Result> {
	const text = await response.text();
	if (!response.ok) {
		throw new RestError(`n8n answered ${response.status} to ${asked}: ${text}`, response.status);
	}
	return (JSON.parse(text) as { data: Result }).data;
}

/** The items that a node put out, over all its runs. */
export function itemsOf(execution: Execution, nodeName: string, output = 0): ExecutionItem[] {
	return (execution.runs[nodeName] ?? []).flatMap((run) => run.data?.main?.[output] ?? []);
}

/** The fields of those items. */
export const fieldsOf = (execution: Execution, nodeName = 'Workspace Data', output = 0) =>
	itemsOf(execution, nodeName, output).map(({ json }) => json);
