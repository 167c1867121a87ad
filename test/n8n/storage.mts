import fastify from 'fastify';

/** File server of the tests that stores the files of a workflow. A new file replaces a file of the same name. */
export type Storage = Awaited<ReturnType<typeof startStorage>>;

/** Starts a file server without files. `app.close` stops it. */
export async function startStorage() {
	const app = fastify({ bodyLimit: 50 * 1024 * 1024, forceCloseConnections: true });
	const started = {
		files: new Map<string, string>(),
		/** Number of files that replaced an older file. */
		replaced: 0,
		/** Whether the server stores files but does not respond. */
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
