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
/** In place of names: all that is sent. */
const ALL = '*';

/** Read of every item before the first call is sent, so that a mistake costs nothing. */
export type ItemCall = ReturnType<typeof readCall>;

/** Reads and checks the call that an item asks for. Throws InputProblem naming the parameter and the fix. */
export function readCall(task: Task) {
	const { operation, session, itemIndex: index, get, options } = task;
	const { maxCalls: most, maxConcurrent: atOnce = DEFAULT_MAX_CONCURRENT } = options;
	const maxConcurrent = wholeNumber(atOnce, 'Parallel Requests', 1, MAX_CONCURRENT);
	const form = readForm(get, options, operation);
	const sharing = readSharing(options, operation);
	const maxCalls = most === undefined ? undefined : wholeNumber(most, 'Limit Calls', 0);
	const own = readOwnParameters(task);
	const sent = readDataToSend(task, own.body);
	const request = requestOf(task, own.path, sent?.body);
	const content = [request.method, request.path, ...contentOf(sent, sharing.by)];
	const hash = createHash('sha256').update(`${session.owner} ${writePlainJson(content, true)}`);
	const data: Record<string, unknown> = sent?.data ?? {};
	const filled = Object.keys(data).filter((name) => hasValue(data[name]));
	return {
		index,
		session,
		request,
		limits: readRequestLimits(options, operation.timeoutMs),
		form,
		/** Equal for calls that count as the same with the same credential, also in later executions and releases. */
		key: hash.digest('hex'),
		isShared: sharing.isShared,
		/** Undefined where the result is not kept. */
		keeping: sharing.keeping,
		maxCalls,
		/** For the whole run, that of the first item counts. */
		maxConcurrent,
		/** True if the result is kept by all of several fields of the input item, because the user chose none. */
		isKeptByItem:
			sharing.keeping !== undefined &&
			options.deduplicateBy === undefined &&
			Object.keys(data).length > 1 &&
			choiceOf(get, dataToSend) === 'autoMapInputData',
		/** The fields that the user named, and those of them that have a value. */
		named: Object.keys(data),
		filled,
	};
}

/** Which calls share a result, by what, and which results are kept. Throws InputProblem. */
function readSharing(options: Record<string, unknown>, { repeat, sendsData }: Operation) {
	// Only for billed calls: using the result of an action would skip the action.
	const ofBilled = repeat === 'billed' ? options : {};
	const { cache, days = DEFAULT_DAYS_KEPT, requiredFields = '' } = ofBilled;
	const isKept = cache !== undefined;
	const { deduplicateBy } = sendsData ? options : {};
	const isShared = deduplicateBy !== undefined;
	const names = isShared ? readNames(deduplicateBy, DEDUPLICATE_BY) : [ALL];
	return {
		isShared: isShared || isKept,
		/** Undefined for all that is sent. */
		by: names.includes(ALL) ? undefined : names,
		keeping: isKept
			? {
					days: wholeNumber(days, 'Days', 1),
					onlyWith: readNames(requiredFields, 'Required Fields'),
				}
			: undefined,
	};
}

/** What tells a call from others: all that is sent, or the fields that Deduplicate By names. Throws InputProblem. */
function contentOf(sent: DataToSend | undefined, by: string[] | undefined): unknown[] {
	if (sent === undefined || by === undefined) return [sent?.body ?? null];
	const { data, fixed } = sent;
	const names = by.filter((name) => hasValue(pickFields(data, [name])));
	if (names.length === 0) {
		const fix = `It is ${shown(by.join(', '))} now. Send at least one of these fields with a value, correct '${DEDUPLICATE_BY}', or write ${ALL} for all fields that are sent. Names are case-sensitive.`;
		throw new InputProblem(`This item sends no field that '${DEDUPLICATE_BY}' names`, fix, [
			`No item sends a field that '${DEDUPLICATE_BY}' names`,
			fix,
		]);
	}
	const compared = comparable(pickFields(data, names)) as object;
	// The name keeps it apart from a call that sends these fields and nothing else.
	return [{ ...compared, ...fixed }, 'deduplicateBy'];
}

/** A value whose texts are equal to those that differ in case, in spaces around them, or in what nobody can see. */
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
	const path = endpoint.path.replace(/{(\w+)}/g, (_all, name: string) =>
		encodeURIComponent(inPath[name]),
	);
	if (body === undefined) return { method, path, repeat };
	return method === 'GET'
		? { method, path, query: queryOf(body), repeat }
		: { method, path, bodyText: writePlainJson(body, false), repeat };
}

/** The operation's own parameters that have a value, by where they go. Throws InputProblem. */
function readOwnParameters({ operation, get }: Task) {
	const own: Record<OwnParameter['goesInto'], Record<string, string>> = { path: {}, body: {} };
	for (const parameter of operation.parameters ?? []) {
		const { name, displayName, goesInto, ifEmpty } = parameter;
		const given = get(name, '');
		refuseLostValues(given, { what: 'parameter', name: displayName });
		const value = optionalText(given, displayName);
		// Dots would lead to another address.
		const isMissing = value === undefined || (goesInto === 'path' && /^\.\.?$/.test(value));
		if (isMissing && ifEmpty !== undefined) {
			const now = value === undefined ? '' : ` It is ${shown(value)} now.`;
			throw new InputProblem(`'${displayName}' must have a value`, ifEmpty + now);
		}
		if (value !== undefined) own[goesInto][name] = value;
	}
	return own;
}

/** Fields for the address of a GET request. Throws InputProblem for a nested one, for which no form is defined. */
function queryOf(body: Record<string, unknown>): NonNullable<ApiRequest['query']> {
	const query: Array<[string, string | string[]]> = [];
	for (const [name, value] of Object.entries(body)) {
		if (value === null) continue;
		const plain = (entry: unknown) => (entry instanceof WrittenNumber ? entry.text : entry);
		const values = [value].flat().map(plain);
		const isPlain = values.every((entry) => ['string', 'number', 'boolean'].includes(typeof entry));
		// An empty list has no form in an address: without it, the question would be another one.
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
