import type { AddressInfo } from 'node:net';
import fastify from 'fastify';

/** Tool that n8n offers to the model. */
interface OfferedTool {
	name: string;
	description: string;
	parameters: { properties?: Record<string, Record<string, unknown>>; required?: string[] };
}

/** Request of n8n to the model. */
export interface ModelRequest {
	messages: Array<{ role: string; content: unknown }>;
	tools: OfferedTool[];
}

/** Response of the model: either a call of the only offered tool with these arguments, or text. */
type ScriptedAnswer = { callTool: Record<string, unknown> } | { say: string };

/** Script of the model. Returns the response to a request. The first request of a conversation is turn 1. */
type ModelScript = (request: ModelRequest, turn: number) => ScriptedAnswer;

export type ScriptedModel = Awaited<ReturnType<typeof startScriptedModel>>;

/**
 * Starts a model server that follows a script. It implements the parts of OpenAI's chat completions API that n8n uses.
 */
export async function startScriptedModel() {
	const app = fastify({ forceCloseConnections: true });
	const requests: ModelRequest[] = [];
	let script: ModelScript = () => ({ say: 'There is no script.' });
	app.post<{
		Body: Pick<ModelRequest, 'messages'> & { tools?: { function: OfferedTool }[] };
	}>('/v1/chat/completions', (call) => {
		const request = {
			messages: call.body.messages,
			tools: (call.body.tools ?? []).map((tool) => tool.function),
		};
		requests.push(request);
		return completion(request, script(request, requests.length));
	});
	await app.listen({ port: 0, host: '127.0.0.1' });
	return {
		/** Base URL of the model server for n8n's OpenAI credential. */
		url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v1`,
		/** Requests that n8n has sent to the model, oldest first. */
		requests,
		/** Starts a new conversation that follows this script. */
		follow: (next: ModelScript) => {
			requests.length = 0;
			script = next;
		},
		stop: () => app.close(),
	};
}

function completion({ tools }: ModelRequest, answer: ScriptedAnswer): Record<string, unknown> {
	const base = { id: 'scripted', object: 'chat.completion', created: 0, model: 'scripted' };
	const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
	const choice =
		'say' in answer
			? { finish_reason: 'stop', message: { role: 'assistant', content: answer.say } }
			: {
					finish_reason: 'tool_calls',
					message: { role: 'assistant', content: null, tool_calls: [toolCall(tools, answer)] },
				};
	return { ...base, usage, choices: [{ index: 0, ...choice }] };
}

function toolCall(tools: OfferedTool[], { callTool }: { callTool: Record<string, unknown> }) {
	if (tools.length === 0) throw new Error('n8n offered no tool to the model');
	const id = `call_${Math.random().toString(36).slice(2)}`;
	const details = { name: tools[0].name, arguments: JSON.stringify(callTool) };
	return { id, type: 'function', function: details };
}
