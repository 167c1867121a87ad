import { ApiError } from './api-error.mts';
import { requireFullAccess } from './authentication.mts';
import { bodyObject, envelope, rejectUnknown, type Endpoint } from './endpoint.mts';

/** Fields that a request cannot set. */
const READ_ONLY_FIELDS = ['id', 'revision', 'created_at', 'updated_at'];

/**
 * Endpoint that changes fields of a company. It is not in the specification, and exists only to try out updates with
 * the HTTP Request node.
 */
export const updateEndpoint: Endpoint = {
	method: 'PATCH',
	path: '/v2/public/companies/:id',
	access: { version: 'v2' },
	handle(call) {
		requireFullAccess(call.caller);
		rejectUnknown(call.query, [], 'query parameter');
		const { id = '' } = call.params;
		const { dataset, contextId } = call;
		const table = dataset.tables.company;
		if (!table.has(id)) throw new ApiError(404, 'not_found', `There is no company "${id}".`);
		const [text] = table.slice('id', 0, 1).map((index) => table.textOf(index));
		const known = Object.keys(JSON.parse(text) as object);
		const body = bodyObject(call);
		rejectUnknown(
			body,
			known.filter((name) => !READ_ONLY_FIELDS.includes(name)),
			'body field',
		);
		return envelope(table.set(id, body, dataset.nextTime()), contextId);
	},
};
