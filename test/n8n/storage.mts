import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';

/** Where a workflow under test sends its files, as a user's storage: a file of the same name is replaced. */
export interface Storage {
	address: string;
	files: Map<string, string>;
	/** How often a file came that was there already. */
	replaced: number;
	/** Files are kept, but the answer never comes. */
	isSilent: boolean;
	app: FastifyInstance;
}

/** Starts one that is empty; `app.close` ends it. */
export async function startStorage(): Promise<Storage> {
	const app = fastify({ bodyLimit: 50 * 1024 * 1024, forceCloseConnections: true });
	const started: Storage = { address: '', files: new Map(), replaced: 0, isSilent: false, app };
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
	app.put<{ Params: { name: string }; Body: string }>('/:name', async ({ params, body }) => {
		if (started.files.has(params.name)) started.replaced++;
		started.files.set(params.name, body);
		if (started.isSilent) await new Promise(() => {});
		return { kept: params.name };
	});
	started.address = await app.listen({ port: 0, host: '127.0.0.1' });
	return started;
}
