import { createHash } from 'crypto';

import type { ApiRequest } from '../../shared/client/api';
import { isObject } from '../../shared/client/json';
import { WrittenNumber, writePlainJson } from '../../shared/client/exact-json';
import { readNames } from '../../shared/panel/fields-option';
import { InputProblem } from '../../shared/errors/node-errors';
import { pickFields } from '../../shared/panel/record-fields';
import {
	choiceOf,
	optionalText,
	readChoice,
	refuseLostValues,
	shown,
	wholeNumber,
} from '../../shared/panel/read-parameters';
import { readRequestLimits } from '../../shared/panel/request-options';
import { readForm } from '../response-to-items';
import type { Operation, OwnParameter } from '../operation-row';
import type { Task } from '../task';
import { hasValue, readDataToSend, type DataToSend } from './body';
import {
	dataToSend,
	DEFAULT_DAYS_KEPT,
	DEFAULT_MAX_CONCURRENT,
	methodOption,
	MAX_CONCURRENT,
} from './call-properties';

const DEDUPLICATE_BY = 'Deduplicate By';
/** Value of Deduplicate By that compares all data. */
const ALL = '*';

/** The call of one input item. All items are read before the first call is sent, so that mistakes cost nothing. */
export type ItemCall = ReturnType<typeof readCall>;

/** Reads and checks the call of an item. Throws InputProblem with the parameter and the fix. */
export function readCall(task: Task) {
	const { operation, session, itemIndex: index, get, options } = task;
	const { maxCalls: rawMaxCalls, maxConcurrent: rawMaxConcurrent = DEFAULT_MAX_CONCURRENT } =
		options;
	const maxConcurrent = wholeNumber(rawMaxConcurrent, 'Parallel Requests', 1, MAX_CONCURRENT);
	const form = readForm(get, options, operation);
	const sharing = readSharing(options, operation);
	const maxCalls =
		rawMaxCalls === undefined ? undefined : wholeNumber(rawMaxCalls, 'Limit Calls', 0);
	const own = readOwnParameters(task);
	const sent = readDataToSend(task, own.body);
	const request = requestOf(task, own.path, sent?.body);
	const content = [request.method, request.path, ...contentOf(sent, sharing.comparedFields)];
	const hash = createHash('sha256').update(`${session.owner} ${writePlainJson(content, true)}`);
	const data: Record<string, unknown> = sent?.data ?? {};
	const filled = Object.keys(data).filter((name) => hasValue(data[name]));
	return {
		index,
		session,
		request,
		limits: readRequestLimits(options, operation.timeoutMs),
		form,
		/** Key that is equal for identical calls with the same credential, also in later executions and releases. */
		key: hash.digest('hex'),
		isShared: sharing.isShared,
		/** Settings for keeping the result. Undefined if the result is not kept. */
		keeping: sharing.keeping,
		maxCalls,
		/** Maximum number of parallel requests. The run uses the value of the first item. */
		maxConcurrent,
		/** True if a kept result is compared by several fields of the input item, because the user chose no fields. */
		isKeptByItem:
			sharing.keeping !== undefined &&
			options.deduplicateBy === undefined &&
			Object.keys(data).length > 1 &&
			choiceOf(get, dataToSend) === 'autoMapInputData',
		/** Names of the user's fields, and of the fields that have a value. */
		named: Object.keys(data),
		filled,
	};
}

/**
 * Reads which calls share a result, which fields are compared for this, and which results are kept. Throws
 * InputProblem.
 */
function readSharing(options: Record<string, unknown>, { repeat, sendsData }: Operation) {
	// Keep only results of billed calls, because reusing the result of an action would skip the action.
	const billedOptions = repeat === 'billed' ? options : {};
	const { cache, days = DEFAULT_DAYS_KEPT, requiredFields = '' } = billedOptions;
	const isKept = cache !== undefined;
	const { deduplicateBy } = sendsData ? options : {};
	const isShared = deduplicateBy !== undefined;
	const names = isShared ? readNames(deduplicateBy, DEDUPLICATE_BY) : [ALL];
	return {
		isShared: isShared || isKept,
		/** Fields to compare; undefined compares all data. */
		comparedFields: names.includes(ALL) ? undefined : names,
		keeping: isKept
			? {
					days: wholeNumber(days, 'Days', 1),
					onlyWith: readNames(requiredFields, 'Required Fields'),
				}
			: undefined,
	};
}

/** Returns the data that makes a call different from others. Throws InputProblem if Deduplicate By matches no field. */
function contentOf(sent: DataToSend | undefined, comparedFields: string[] | undefined): unknown[] {
	if (sent === undefined || comparedFields === undefined) return [sent?.body ?? null];
	const { data, fixed } = sent;
	const names = comparedFields.filter((name) => hasValue(pickFields(data, [name])));
	if (names.length === 0) {
		const fix = `It is ${shown(comparedFields.join(', '))} now. Send at least one of these fields with a value, correct '${DEDUPLICATE_BY}', or write ${ALL} for all fields that are sent. Names are case-sensitive.`;
		throw new InputProblem(`This item sends no field that '${DEDUPLICATE_BY}' names`, fix, [
			`No item sends a field that '${DEDUPLICATE_BY}' names`,
			fix,
		]);
	}
	const compared = comparable(pickFields(data, names)) as object;
	// The marker makes the key differ from that of a call whose whole data equals these fields.
	return [{ ...compared, ...fixed }, 'deduplicateBy'];
}

/** Returns a copy whose texts ignore letter case, surrounding spaces and invisible characters. */
function comparable(value: unknown): unknown {
	if (typeof value === 'string')
		return value
			.normalize('NFKC')
			.replace(/\p{Cf}/gu, '')
			.trim()
			.toLowerCase();
	if (Array.isArray(value)) return value.map(comparable);
	if (!isObject(value) || value instanceof WrittenNumber) return value;
	const entries = Object.entries(value).map(([name, entry]) => [name, comparable(entry)] as const);
	return Object.fromEntries(entries);
}

function requestOf(
	{ operation, endpoint, options }: Task,
	inPath: Readonly<Record<string, string>>,
	body: Record<string, unknown> | undefined,
): ApiRequest {
	const { methods, repeat } = operation;
	const method = methods
		? readChoice(options.httpMethod, methodOption(methods, operation))
		: endpoint.method;
	const path = endpoint.path.replace(/{(\w+)}/g, (_match, name: string) =>
		encodeURIComponent(inPath[name]),
	);
	if (body === undefined) return { method, path, repeat };
	return method === 'GET'
		? { method, path, query: queryOf(body), repeat }
		: { method, path, bodyText: writePlainJson(body, false), repeat };
}

/** Reads the operation's own parameters that have a value, for the path and for the body. Throws InputProblem. */
function readOwnParameters({ operation, get }: Task) {
	const own: Record<OwnParameter['goesInto'], Record<string, string>> = { path: {}, body: {} };
	for (const parameter of operation.parameters ?? []) {
		const { name, displayName, goesInto, ifEmpty } = parameter;
		const raw = get(name, '');
		refuseLostValues(raw, { what: 'parameter', name: displayName });
		const value = optionalText(raw, displayName);
		// "." and ".." in a path lead to another address.
		const isMissing = value === undefined || (goesInto === 'path' && /^\.\.?$/.test(value));
		if (isMissing && ifEmpty !== undefined) {
			const current = value === undefined ? '' : ` It is ${shown(value)} now.`;
			throw new InputProblem(`'${displayName}' must have a value`, ifEmpty + current);
		}
		if (value !== undefined) own[goesInto][name] = value;
	}
	return own;
}

/** Returns the query parameters of a GET request. Throws InputProblem for a nested field, which has no defined form. */
function queryOf(body: Record<string, unknown>): NonNullable<ApiRequest['query']> {
	const query: Array<[string, string | string[]]> = [];
	for (const [name, value] of Object.entries(body)) {
		if (value === null) continue;
		const plain = (entry: unknown) => (entry instanceof WrittenNumber ? entry.text : entry);
		const values = [value].flat().map(plain);
		const isPlain = values.every((entry) => ['string', 'number', 'boolean'].includes(typeof entry));
		// An empty list has no form in an address. Leaving it out would change the request.
		if (!isPlain || values.length === 0) {
			throw new InputProblem(
				`The field ${shown(name)} cannot be sent with GET`,
				`It is ${shown(value)}. An address can contain only text, numbers, booleans, and lists of them that are not empty. Set the option 'HTTP Method' to POST.`,
			);
		}
		query.push([name, (Array.isArray(value) ? values : values[0]) as string | string[]]);
	}
	return Object.fromEntries(query);
}
