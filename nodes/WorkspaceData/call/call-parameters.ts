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
/** Value of the option Deduplicate By that compares all data of a call. */
const ALL = '*';

/** Call of one input item. The node reads all items before it sends the first call, so that mistakes cost nothing. */
export type ItemCall = ReturnType<typeof readCall>;

/** Reads and checks the parameters of an item's call. Throws InputProblem for invalid values. */
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
	const hash = createHash('sha256').update(
		`${session.credentialScope} ${writePlainJson(content, true)}`,
	);
	const data: Record<string, unknown> = sent?.data ?? {};
	const filled = Object.keys(data).filter((name) => hasValue(data[name]));
	return {
		index,
		session,
		request,
		limits: readRequestLimits(options, operation.timeoutMs),
		form,
		/** Key of the call. Identical calls with the same credential have the same key, even in later releases. */
		key: hash.digest('hex'),
		isShared: sharing.isShared,
		/** Settings of the option Keep Results. Undefined if the option is not set. */
		keeping: sharing.keeping,
		maxCalls,
		/** Maximum number of parallel requests. The whole run uses the value of the first item. */
		maxConcurrent,
		/** True if Keep Results compares several input fields, because the user did not set Deduplicate By. */
		isKeptByItem:
			sharing.keeping !== undefined &&
			options.deduplicateBy === undefined &&
			Object.keys(data).length > 1 &&
			choiceOf(get, dataToSend) === 'autoMapInputData',
		/** Names of all fields that the user sends (`named`), and of the fields that have a value (`filled`). */
		named: Object.keys(data),
		filled,
	};
}

/** Reads the options Deduplicate By and Keep Results. Throws InputProblem for invalid values. */
function readSharing(options: Record<string, unknown>, { repeat, sendsData }: Operation) {
	// Keep only results of billed calls. A call that changes data must be sent each time.
	const billedOptions = repeat === 'billed' ? options : {};
	const { cache, days = DEFAULT_DAYS_KEPT, requiredFields = '' } = billedOptions;
	const isKept = cache !== undefined;
	const { deduplicateBy } = sendsData ? options : {};
	const isShared = deduplicateBy !== undefined;
	const names = isShared ? readNames(deduplicateBy, DEDUPLICATE_BY) : [ALL];
	return {
		isShared: isShared || isKept,
		/** Fields to compare. Undefined compares all data of a call. */
		comparedFields: names.includes(ALL) ? undefined : names,
		keeping: isKept
			? {
					days: wholeNumber(days, 'Days', 1),
					onlyWith: readNames(requiredFields, 'Required Fields'),
				}
			: undefined,
	};
}

/**
 * Returns the data that distinguishes calls. Throws InputProblem if the item has none of the fields in Deduplicate By.
 */
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
	// The marker 'deduplicateBy' distinguishes this key from the key of a call that sends exactly these fields.
	return [{ ...compared, ...fixed }, 'deduplicateBy'];
}

/** Returns a copy for comparisons: texts in lower case, without surrounding spaces and invisible characters. */
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

/** Reads this operation's own text parameters that have a value. Throws InputProblem if a required one is empty. */
function readOwnParameters({ operation, get }: Task) {
	const own: Record<OwnParameter['goesInto'], Record<string, string>> = { path: {}, body: {} };
	for (const parameter of operation.parameters ?? []) {
		const { name, displayName, goesInto, ifEmpty } = parameter;
		const raw = get(name, '');
		refuseLostValues(raw, { what: 'parameter', name: displayName });
		const value = optionalText(raw, displayName);
		// Refuse "." and "..", because they would change the path to another address.
		const isMissing = value === undefined || (goesInto === 'path' && /^\.\.?$/.test(value));
		if (isMissing && ifEmpty !== undefined) {
			const current = value === undefined ? '' : ` It is ${shown(value)} now.`;
			throw new InputProblem(`'${displayName}' must have a value`, ifEmpty + current);
		}
		if (value !== undefined) own[goesInto][name] = value;
	}
	return own;
}

/** Returns the query of a GET request. Throws InputProblem for a nested field, which a query cannot contain. */
function queryOf(body: Record<string, unknown>): NonNullable<ApiRequest['query']> {
	const query: Array<[string, string | string[]]> = [];
	for (const [name, value] of Object.entries(body)) {
		if (value === null) continue;
		const plain = (entry: unknown) => (entry instanceof WrittenNumber ? entry.text : entry);
		const values = [value].flat().map(plain);
		const isPlain = values.every((entry) => ['string', 'number', 'boolean'].includes(typeof entry));
		// Refuse an empty list, because a query cannot contain it, and leaving it out would change the request.
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
