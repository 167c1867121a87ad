import { ApiError } from './api-error.mts';
import { requireFullAccess } from './authentication.mts';
import { bodyObject, envelope, refuseUnknown, type Endpoint } from './endpoint.mts';

/** No request sets these. */
const ofService = ['id', 'revision', 'created_at', 'updated_at'];

/** Sets fields of a company. Nothing specifies such a request: it is there to try HTTP Request with. */
export const updateEndpoint: Endpoint = {
	method: 'PATCH',
	path: '/v2/public/companies/:id',
	access: { version: 'v2' },
	handle(call) {
		requireFullAccess(call.caller);
		refuseUnknown(call.query, [], 'query parameter');
		const { id = '' } = call.params;
		const { dataset, contextId } = call;
		const table = dataset.tables.company;
		if (!table.has(id)) throw new ApiError(404, 'not_found', `There is no company "${id}".`);
		const [text] = table.slice('id', 0, 1).map((index) => table.textOf(index));
		const known = Object.keys(JSON.parse(text) as object);
		const body = bodyObject(call);
		refuseUnknown(
			body,
			known.filter((name) => !ofService.includes(name)),
			'body field',
		);
		return envelope(table.set(id, body, dataset.nextTime()), contextId);
	},
};
