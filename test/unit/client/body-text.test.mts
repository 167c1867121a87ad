import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';

import { INVALID_ENCODING, readAnswer } from '../../../nodes/client/body-text.ts';

const HEAD = { statusCode: 200, headers: { 'x-part': '1' } };

/** What is read of a body that comes in these pieces. */
const read = async (...pieces: Array<Uint8Array | string>): Promise<string> => {
	const body = Readable.from(pieces.map((piece) => Buffer.from(piece)));
	return (await readAnswer(Promise.resolve({ ...HEAD, body }), 1_000)).text;
};

describe('the text of an answer', () => {
	it('is the same wherever a piece ends, within a letter as well', async () => {
		const text = '{"name":"Grüße 🎉 und 漢字"}';
		const bytes = Buffer.from(text);
		for (let at = 0; at <= bytes.length; at++) {
			expect(await read(bytes.subarray(0, at), bytes.subarray(at))).toBe(text);
		}
		expect(await read(...[...bytes].map((byte) => Uint8Array.of(byte)))).toBe(text);
	});

	it('comes with status and headers, and without a byte order mark', async () => {
		const body = Readable.from([Buffer.from('\uFEFF{}')]);
		const answer = await readAnswer(Promise.resolve({ ...HEAD, body }), 1_000);
		expect(answer).toEqual({ ...HEAD, text: '{}' });
	});

	it.each([
		['nothing', undefined, ''],
		['null', null, ''],
		['text', 'as it is', 'as it is'],
		['an object', { data: 1 }, '{"data":1}'],
	])('is also read where the helper gives %s', async (_what, body, text) => {
		expect((await readAnswer(Promise.resolve({ ...HEAD, body }), 1_000)).text).toBe(text);
	});

	it('of a success is refused in another encoding, and that of a failure is read as far as it can be', async () => {
		const latin1 = [Buffer.from('{"name":"Caf\xe9"}', 'latin1')];
		const success = { ...HEAD, body: Readable.from(latin1) };
		await expect(readAnswer(Promise.resolve(success), 1_000)).rejects.toMatchObject({
			code: INVALID_ENCODING,
		});
		const failure = { ...HEAD, statusCode: 404, body: Readable.from(latin1) };
		expect((await readAnswer(Promise.resolve(failure), 1_000)).text).toBe('{"name":"Caf\uFFFD"}');
	});

	it('has an end: half of a body is an error', async () => {
		const body = new Readable({ read: () => undefined });
		body.push('{"half":');
		const answer = readAnswer(Promise.resolve({ ...HEAD, body }), 1_000);
		setTimeout(() => body.destroy(), 5);
		await expect(answer).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
	});

	it('passes on what goes wrong with the connection', async () => {
		const lost = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
		const body = new Readable({ read: () => void body.destroy(lost) });
		await expect(readAnswer(Promise.resolve({ ...HEAD, body }), 1_000)).rejects.toBe(lost);
		await expect(readAnswer(Promise.reject(lost), 1_000)).rejects.toBe(lost);
	});
});

describe('an answer that takes too long', () => {
	it('ends with a code for it, and so does the connection of a body that never ends', async () => {
		const body = new Readable({ read: () => undefined });
		body.push('{"data":');
		const answer = readAnswer(Promise.resolve({ ...HEAD, body }), 20);
		await expect(answer).rejects.toMatchObject({ code: 'ETIMEDOUT' });
		expect(body.destroyed).toBe(true);
	});

	it('that begins after its end is not left waiting for a reader', async () => {
		const body = new Readable({ read: () => undefined });
		let begin = (): void => {};
		const late = new Promise<typeof HEAD & { body: Readable }>((resolve) => {
			begin = () => resolve({ ...HEAD, body });
		});
		await expect(readAnswer(late, 20)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
		expect(body.destroyed).toBe(false);
		begin();
		await expect.poll(() => body.destroyed).toBe(true);
	});
});
