import type { RestClient } from './rest.mts';

/** Returns the REST route of the data tables in the personal project of the signed-in user. */
export async function routeOfDataTables(client: RestClient): Promise<string> {
	const [{ id }] = await client.request<[{ id: string }]>('GET', '/projects/my-projects');
	return `/projects/${id}/data-tables`;
}

/** Returns the name and the REST route of every data table. */
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

/** Returns the rows of the data table in which Keep Results stores results, oldest first. */
export async function keptResults(client: RestClient): Promise<Array<{ id: number; key: string }>> {
	const table = (await dataTables(client)).find(({ name }) => name === 'workspace_data_results');
	if (!table) throw new Error('No results are kept');
	const route = `${table.route}/rows?take=1000`;
	return (await client.request<{ data: Array<{ id: number; key: string }> }>('GET', route)).data;
}
