import type { RestClient } from './rest.mts';

/** The data tables of a person's own project: name and address. */
export async function dataTables(
	client: RestClient,
): Promise<Array<{ name: string; route: string }>> {
	const [project] = await client.request<[{ id: string }]>('GET', '/projects/my-projects');
	const route = `/projects/${project.id}/data-tables`;
	const { data } = await client.request<{ data: Array<{ id: string; name: string }> }>(
		'GET',
		route,
	);
	return data.map(({ id, name }) => ({ name, route: `${route}/${id}` }));
}

/** The rows of the results that Reuse Results keeps. */
export async function keptResults(client: RestClient): Promise<object[]> {
	const table = (await dataTables(client)).find(({ name }) => name === 'workspace_data_results');
	if (!table) throw new Error('No results are kept');
	return (await client.request<{ data: object[] }>('GET', `${table.route}/rows?take=1000`)).data;
}
