interface AnswerHead {
	statusCode: number;
	headers?: Record<string, unknown>;
}

/** The code of the error for a body that is not in UTF-8 (docs/assumptions.md, A8). */
export const INVALID_ENCODING = 'ERR_ENCODING_INVALID_ENCODED_DATA';

/** What n8n's HTTP helper gives; with the encoding `stream`, the body is one. */
export type HelperAnswer = AnswerHead & { body: unknown };

type Stream = NodeJS.ReadableStream & { destroy: (error?: Error) => void };

/**
 * Reads an answer of n8n's HTTP helper, the body's text piece by piece as it comes. The helper could give the text
 * whole, but then the bytes of each page are in memory twice, until V8 goes through all that n8n has in its memory to
 * free them: at 1,000 records per page once or twice for every 100,000 records.
 *
 * @param timeoutMs until the end of the body. n8n's own timeout is one of silence: an answer that comes drop by drop
 * would never end
 * @throws Error of the helper or the connection; with the code ETIMEDOUT after that time, and the connection is closed
 */
export async function readAnswer(
	answer: Promise<HelperAnswer>,
	timeoutMs: number,
): Promise<AnswerHead & { text: string }> {
	const timer = AbortSignal.timeout(timeoutMs);
	let body: unknown;
	let end = (): void => {};
	const ended = new Promise<never>((_resolve, reject) => {
		end = () => {
			reject(Object.assign(new Error('No whole answer'), { code: 'ETIMEDOUT' }));
			if (isStream(body)) body.destroy();
		};
		timer.addEventListener('abort', end, { once: true });
	});
	const read = async (): Promise<AnswerHead & { text: string }> => {
		const { statusCode, headers, ...rest } = await answer;
		body = rest.body;
		// Nobody waits any more.
		if (timer.aborted) end();
		return { statusCode, headers, text: await readText(body, statusCode < 300) };
	};
	try {
		return await Promise.race([read(), ended]);
	} finally {
		timer.removeEventListener('abort', end);
	}
}

function isStream(body: unknown): body is Stream {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/**
 * @param isData whether to refuse text in another encoding, which would come out with other letters in silence
 * @throws TypeError with the code of `INVALID_ENCODING`
 */
async function readText(body: unknown, isData: boolean): Promise<string> {
	if (isStream(body)) {
		// Quicker than the stream's own decoding; also leaves out a byte order mark, which is not part of the text.
		const decoder = new TextDecoder('utf-8', { fatal: isData });
		let text = '';
		for await (const piece of body) text += decoder.decode(piece as Buffer, { stream: true });
		return text + decoder.decode();
	}
	if (typeof body === 'string') return body;
	return body === undefined || body === null ? '' : JSON.stringify(body);
}
