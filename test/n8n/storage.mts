import fastify from 'fastify';

/**
 * Server that stores the files of a workflow under test, like a user's storage. A file replaces an older file of the
 * same name.
 */
export type Storage = Awaited<ReturnType<typeof startStorage>>;

/** Starts an empty storage. `app.close` stops it. */
export async function startStorage() {
	const app = fastify({ bodyLimit: 50 * 1024 * 1024, forceCloseConnections: true });
	const started = {
		files: new Map<string, string>(),
		/** Number of files that replaced an older file. */
		replaced: 0,
		/** Whether the storage keeps files without ever responding. */
		isSilent: false,
	};
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
	app.put<{ Params: { name: string }; Body: string }>('/:name', async ({ params, body }) => {
		if (started.files.has(params.name)) started.replaced++;
		started.files.set(params.name, body);
		if (started.isSilent) await new Promise(() => {});
		return { kept: params.name };
	});
	const address = await app.listen({ port: 0, host: '127.0.0.1' });
	return Object.assign(started, { address, app });
}
