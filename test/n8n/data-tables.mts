import type { RestClient } from './rest.mts';

/** The address of the data tables of a person's own project. */
export async function routeOfDataTables(client: RestClient): Promise<string> {
	const [{ id }] = await client.request<[{ id: string }]>('GET', '/projects/my-projects');
	return `/projects/${id}/data-tables`;
}

/** All of them: name and address. */
export async function dataTables(
	client: RestClient,
): Promise<Array<{ name: string; route: string }>> {
	const route = await routeOfDataTables(client);
	const { data } = await client.request<{ data: Array<{ id: string; name: string }> }>(
		'GET',
		route,
	);
	return data.map(({ id, name }) => ({ name, route: `${route}/${id}` }));
}

/** The rows of the results that Keep Results keeps, oldest first. */
export async function keptResults(client: RestClient): Promise<Array<{ id: number; key: string }>> {
	const table = (await dataTables(client)).find(({ name }) => name === 'workspace_data_results');
	if (!table) throw new Error('No results are kept');
	const route = `${table.route}/rows?take=1000`;
	return (await client.request<{ data: Array<{ id: number; key: string }> }>('GET', route)).data;
}
