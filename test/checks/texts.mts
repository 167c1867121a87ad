import type { INode, INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { WorkspaceDataApi } from '../../credentials/WorkspaceDataApi.credentials.ts';
import {
	NOT_TLS,
	ServiceFailure,
	type FailureFacts,
	type FailureKind,
} from '../../nodes/shared/client/failures.ts';
import { createNodeError, type ErrorContext } from '../../nodes/shared/errors/node-errors.ts';
import { WorkspaceData } from '../../nodes/WorkspaceData/WorkspaceData.node.ts';
import { WorkspaceDataTrigger } from '../../nodes/WorkspaceDataTrigger/WorkspaceDataTrigger.node.ts';
import { FAILURE_KINDS, STATUSES } from '../failures.mts';
import { literals, type Literal } from './literals.mts';

/** Part of a panel: a parameter, a choice, or a group of parameters. */
export type Shown = Partial<Omit<INodeProperties, 'options' | 'modes'>> & {
	action?: string;
	options?: Shown[];
	modes?: Shown[];
	values?: Shown[];
};

/** Returns the snapshot texts.md: all texts that users see. */
export function textsPage(): string {
	const known = [panels(), failures()].join('\n\n');
	return `# Texts

<!-- Written by \`npm run generate\`; changes made by hand are lost. -->

All texts that users see, on one page. \`test/checks/wording.test.mts\` has rules for them. In texts from the code, … stands for an inserted value.

${known}

## Everything else

Messages and descriptions of errors that the node finds before a request, hints, lines in n8n's log, and parts of texts.

${otherTexts(known)}
`;
}

function panels(): string {
	const nodes = [new WorkspaceData(), new WorkspaceDataTrigger()];
	const { displayName, properties } = new WorkspaceDataApi();
	return [
		...nodes.map(({ description }) => nodeOf(description)),
		`## ${displayName}\n\n${parametersOf(properties as Shown[])}`,
	].join('\n\n');
}

function nodeOf({
	displayName,
	description,
	properties,
	hints = [],
}: INodeTypeDescription): string {
	const parts = [`## ${displayName}`, plain(description), parametersOf(properties as Shown[])];
	if (hints.length > 0) {
		parts.push('Hints before it runs:', listOf(hints.map(({ message }) => `- ${plain(message)}`)));
	}
	return parts.join('\n\n');
}

/** Returns a list of the parameters, followed by the options of their collections. */
function parametersOf(properties: Shown[]): string {
	const collections = properties.filter(({ type }) => type === 'collection');
	const visible = properties.filter(
		(each) => each.type !== 'hidden' && !collections.includes(each),
	);
	const options = collections.flatMap((each) => each.options ?? []);
	const parts = [listOf(visible.map((each) => lineOf(each)))];
	if (options.length > 0) parts.push('Options:', listOf(options.map((each) => lineOf(each))));
	return parts.join('\n\n');
}

/** Joins lines, and leaves out duplicates. */
function listOf(lines: string[]): string {
	return [...new Set(lines)].join('\n');
}

function lineOf(shown: Shown, indent = ''): string {
	const { displayName, name = '', action, description, hint, placeholder, type } = shown;
	const texts = [action, description, hint, placeholder];
	const plainTexts = texts.flatMap((text) => text ?? []).map(plain);
	const label = plain(displayName ?? name);
	const title = type === 'notice' ? label : `**${label}**`;
	const inside = [...(shown.options ?? []), ...(shown.modes ?? []), ...(shown.values ?? [])];
	return [
		`${indent}- ${[title, ...plainTexts].join(' · ')}`,
		...inside.map((each) => lineOf(each, `${indent}  `)),
	].join('\n');
}

const LARGE: FailureFacts = {
	...{ recordsRead: 200, nextCursor: 'c2', pageSize: 1_000, attempts: 7 },
	...{ gaveUp: 'retriesUsed', smallerPageSize: 100 },
};

/** Sample facts, such as the HTTP status, for the kinds of failure whose error texts depend on facts. */
const FACTS_OF_KINDS: Partial<Record<FailureKind, FailureFacts[]>> = {
	status: [
		...STATUSES.map((statusCode) => ({ statusCode })),
		{ statusCode: 403, webPage: 'Attention Required!' },
		{ statusCode: 524, webPage: '' },
		{ statusCode: 410, words: 'expired', recordsRead: 200, nextCursor: 'c2', page: 3 },
		{ statusCode: 404, page: 1, recordsRead: 0, nextCursor: 'c1', pageSize: 100 },
		{ ...LARGE, statusCode: 502 },
		{ statusCode: 503, retryAfterMs: 600_000, gaveUp: 'waitTooLong', maxWaitMs: 300_000 },
		{ statusCode: 401, recordsRead: 200, nextCursor: 'c2', pageSize: 90 },
	],
	redirected: [
		{ statusCode: 304 },
		{ statusCode: 301, movedTo: 'https://www.example.com', recordsRead: 200 },
		{ statusCode: 303, redirectedTo: 'https://www.example.com/login' },
	],
	notSent: [300_000, 5_000].map((maxWaitMs) => {
		return {
			code: 'ECONNREFUSED',
			gaveUp: 'waitUsed',
			attempts: 9,
			maxWaitMs,
			isFromProxy: maxWaitMs < 9_000,
		};
	}),
	timeout: [{}, LARGE],
	repeatedPage: [{ recordsRead: 200, nextCursor: 'c2', pageSize: 90 }],
	insecure: [{ code: 'CERT_HAS_EXPIRED' }, { code: 'EPROTO' }, { code: NOT_TLS }],
	connectionLost: [{ code: 'ECONNRESET', gaveUp: 'retriesUsed', attempts: 7 }],
	unsuccessful: [{ words: 'Unknown field no. 5', ctxId: 'ctx-1' }, { words: 'Closed!' }],
	incompleteList: [
		{ total: 5_000, recordsRead: 250, nextCursor: 'c2', pageSize: 100, page: 3 },
		{ total: 500, recordsRead: 1, received: 1 },
	],
	tooManyUndated: [{ dateField: 'updated_at' }, { dateField: 'created_at', isAhead: true }],
	wrongPage: [{ received: 50 }],
	blocked: [{}, { words: 'resolves to a restricted IP address' }],
};

const LIMITED = { statusCode: 429, maxWaitMs: 300_000 };

/** Sample failures of calls, which are operations such as Enrich. */
const CALLS: Array<[FailureKind, FailureFacts]> = [
	['connectionLost', { gaveUp: 'mayBeBilled' }],
	['status', { statusCode: 500, gaveUp: 'mayHaveActed' }],
	['status', { ...LIMITED, gaveUp: 'waitTooLong', retryAfterMs: 841_000, attempts: 1 }],
	['status', { ...LIMITED, gaveUp: 'waitUsed', attempts: 0 }],
];

const POLL = { hasRequestOptions: false };

/**
 * Sample failures whose error texts depend on the node. For example, the node is a trigger, or n8n keeps its output.
 */
const WITH_CONTEXT: Array<[FailureKind, FailureFacts, Partial<ErrorContext>]> = [
	[
		'timeout',
		{ page: 3, recordsRead: 250, nextCursor: 'c2', pageSize: 100 },
		{ keepsOutput: true },
	],
	['timeout', { page: 1, recordsRead: 0, nextCursor: 'c1', pageSize: 100 }, { keepsOutput: true }],
	['timeout', { page: 1 }, POLL],
	['timeout', {}, { values: 'the fields to send' }],
	['status', { statusCode: 413 }, { values: 'the fields to send' }],
	['status', { statusCode: 422 }, { values: 'the fields to send' }],
	...['EAI_AGAIN', 'EHOSTUNREACH'].map((code): [FailureKind, FailureFacts, object] => [
		'notSent',
		{ code },
		{},
	]),
	['status', { statusCode: 429, page: 1 }, POLL],
	['status', { ...LIMITED, gaveUp: 'waitUsed', retryAfterMs: 7_200_000 }, POLL],
	['status', { statusCode: 401 }, { apiVersion: undefined }],
	['status', { statusCode: 403 }, { permission: undefined }],
];

/** Returns the error texts for all kinds of failures of the service, as Markdown. */
export function failures(): string {
	const ofLists = FAILURE_KINDS.flatMap((kind) =>
		(FACTS_OF_KINDS[kind] ?? [{}]).map((facts) => errorOf(kind, { page: 3, ...facts })),
	);
	const ofCalls = CALLS.map(([kind, facts]) => errorOf(kind, facts));
	const withContext = WITH_CONTEXT.map((sample) => errorOf(...sample));
	return `## Failures of lists\n\nIn brackets: the cause that the node reports to n8n, if n8n has a matching one.\n\n${listOf(ofLists)}\n\n## Failures of calls\n\n${listOf(ofCalls)}\n\n## Failures with other facts about the node\n\nFor example: n8n keeps the output of the node, the node is a trigger, or the kind of credential is unknown.\n\n${listOf(withContext)}`;
}

function errorOf(
	kind: FailureKind,
	facts: FailureFacts,
	context: Partial<ErrorContext> = {},
): string {
	const failure = new ServiceFailure(kind, {
		host: 'api.example.com',
		timeoutMs: 60_000,
		...facts,
	});
	const error = createNodeError(failure, {
		node: { name: 'Workspace Data' } as INode,
		secrets: [],
		apiVersion: 'v2',
		operation: 'Company: Get Many',
		permission: 'an API key that may read records',
		keepsOutput: false,
		...context,
	});
	const cause = error.failure === undefined ? '' : ` (${error.failure.cause})`;
	return `- **${plain(error.message)}** ${plain(error.description ?? '')}${cause}`;
}

/** Returns the texts in the code that `known` does not contain, as Markdown lists by file. */
function otherTexts(known: string): string {
	const found = Map.groupBy(textsBeside(known), ({ file }) => file);
	return [...found]
		.map(([file, list]) => `### ${file}\n\n${listOf(list.map(({ text }) => `- ${plain(text)}`))}`)
		.join('\n\n');
}

/** Returns all texts outside the panels: errors, hints, log lines, and parts of such texts. */
export function textsBesidePanels(): string[] {
	return textsBeside(panels()).map(({ text }) => text);
}

function textsBeside(known: string): Literal[] {
	const lines = known.split('\n');
	// Search one part after the other, because one regular expression of all parts would backtrack through every line.
	const containsInOrder = (parts: readonly string[]) => (line: string) => {
		let from = 0;
		return parts.every((part) => {
			const at = line.indexOf(part, from);
			from = at + part.length;
			return at >= 0;
		});
	};
	const isKnown = (text: string): boolean => lines.some(containsInOrder(text.split('…')));
	return literals().filter(({ text }) => isRead(text) && !isKnown(plain(text)));
}

/** Checks whether a text is a sentence for users: at least three words, and neither an n8n expression nor code. */
function isRead(text: string): boolean {
	return /(?:[\p{L}…,.:]+ ){2}[\p{L}…]/u.test(text) && !/^=|=>|&&/.test(text);
}

/** Returns a text as Markdown on one line, without HTML. A slash separates paragraphs. */
function plain(text: string): string {
	return text
		.replace(/\s*(?:<br>|\n)+\s*/g, ' / ')
		.replace(/<[^>]*>/g, '')
		.trim()
		.replace(/[*`[\\]|(?<!\w)_|_(?!\w)/g, '\\$&');
}
