import fastify from 'fastify';

/** Where a workflow under test sends its files, as a user's storage: a file of the same name is replaced. */
export type Storage = Awaited<ReturnType<typeof startStorage>>;

/** Starts one that is empty; `app.close` ends it. */
export async function startStorage() {
	const app = fastify({ bodyLimit: 50 * 1024 * 1024, forceCloseConnections: true });
	const started = {
		files: new Map<string, string>(),
		/** How often a file came that was there already. */
		replaced: 0,
		/** Files are kept, but the answer never comes. */
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
