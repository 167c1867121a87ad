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

/** A parameter, a choice of one, or a group of parameters: all that a panel shows. */
export type Shown = Partial<Omit<INodeProperties, 'options' | 'modes'>> & {
	action?: string;
	options?: Shown[];
	modes?: Shown[];
	values?: Shown[];
};

/** The snapshot texts.md: every text that people see, to be read in one go. */
export function textsPage(): string {
	const known = [panels(), failures()].join('\n\n');
	return `# Texts

<!-- Written by \`npm run generate\`; changes made by hand are lost. -->

Every text that people see, so that they can be read in one go. What a text may not say is in \`test/checks/wording.test.mts\`. In texts that are taken from the code, … is what is put in.

${known}

## Everything else

Of errors that are found before a request, the message and the description; hints, lines in n8n's log, and parts of texts.

${others(known)}
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

/** Parameters, and then what their collections of options have. */
function parametersOf(properties: Shown[]): string {
	const collections = properties.filter(({ type }) => type === 'collection');
	const others = properties.filter((each) => each.type !== 'hidden' && !collections.includes(each));
	const options = collections.flatMap((each) => each.options ?? []);
	const parts = [listOf(others.map((each) => lineOf(each)))];
	if (options.length > 0) parts.push('Options:', listOf(options.map((each) => lineOf(each))));
	return parts.join('\n\n');
}

/** Each line once, however often it is there. */
function listOf(lines: string[]): string {
	return [...new Set(lines)].join('\n');
}

function lineOf(shown: Shown, indent = ''): string {
	const { displayName, name = '', action, description, hint, placeholder, type } = shown;
	const texts = [action, description, hint, placeholder];
	const told = texts.flatMap((text) => text ?? []).map(plain);
	const label = plain(displayName ?? name);
	const title = type === 'notice' ? label : `**${label}**`;
	const inside = [...(shown.options ?? []), ...(shown.modes ?? []), ...(shown.values ?? [])];
	return [
		`${indent}- ${[title, ...told].join(' · ')}`,
		...inside.map((each) => lineOf(each, `${indent}  `)),
	].join('\n');
}

const LARGE: FailureFacts = {
	...{ recordsRead: 200, nextCursor: 'c2', pageSize: 1_000, attempts: 7 },
	...{ gaveUp: 'retriesUsed', smallerPageSize: 100 },
};

/** Samples of the kinds of failure whose texts say what is known. */
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

/** Samples of failures of calls. */
const CALLS: Array<[FailureKind, FailureFacts]> = [
	['connectionLost', { gaveUp: 'mayBeBilled' }],
	['status', { statusCode: 500, gaveUp: 'mayHaveActed' }],
	['status', { ...LIMITED, gaveUp: 'waitTooLong', retryAfterMs: 841_000, attempts: 1 }],
	['status', { ...LIMITED, gaveUp: 'waitUsed', attempts: 0 }],
];

const POLL = { hasRequestOptions: false };

/** Samples of failures where something else is known of the node: what n8n keeps of it, and that it polls. */
const ELSEWHERE: Array<[FailureKind, FailureFacts, Partial<ErrorContext>]> = [
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

/** Samples of every error that a failure of the service becomes. */
export function failures(): string {
	const ofLists = FAILURE_KINDS.flatMap((kind) =>
		(FACTS_OF_KINDS[kind] ?? [{}]).map((facts) => errorOf(kind, { page: 3, ...facts })),
	);
	const ofCalls = CALLS.map(([kind, facts]) => errorOf(kind, facts));
	const elsewhere = ELSEWHERE.map((sample) => errorOf(...sample));
	return `## Failures of lists\n\nIn brackets: the cause that n8n is told, where it knows one that fits.\n\n${listOf(ofLists)}\n\n## Failures of calls\n\n${listOf(ofCalls)}\n\n## Failures where something else is known of the node\n\nWhere n8n keeps what was read, in a trigger, and where the key or what it may do is not known.\n\n${listOf(elsewhere)}`;
}

function errorOf(kind: FailureKind, facts: FailureFacts, more: Partial<ErrorContext> = {}): string {
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
		...more,
	});
	const cause = error.failure === undefined ? '' : ` (${error.failure.cause})`;
	return `- **${plain(error.message)}** ${plain(error.description ?? '')}${cause}`;
}

/** What stands in the code and is not said above, by file. */
function others(known: string): string {
	const found = Map.groupBy(textsBeside(known), ({ file }) => file);
	return [...found]
		.map(([file, list]) => `### ${file}\n\n${listOf(list.map(({ text }) => `- ${plain(text)}`))}`)
		.join('\n\n');
}

/** What people read outside of the panels: errors, hints and lines in n8n's log, and parts of them. */
export function textsBesidePanels(): string[] {
	return textsBeside(panels()).map(({ text }) => text);
}

function textsBeside(known: string): Literal[] {
	const lines = known.split('\n');
	// A regular expression of all parts would go through every line many times.
	const stands = (parts: readonly string[]) => (line: string) => {
		let from = 0;
		return parts.every((part) => {
			const at = line.indexOf(part, from);
			from = at + part.length;
			return at >= 0;
		});
	};
	const isKnown = (text: string): boolean => lines.some(stands(text.split('…')));
	return literals().filter(({ text }) => isRead(text) && !isKnown(plain(text)));
}

/** Three words or more; expressions of n8n, code and addresses are none. */
function isRead(text: string): boolean {
	return /(?:[\p{L}…,.:]+ ){2}[\p{L}…]/u.test(text) && !/^=|=>|&&/.test(text);
}

/** As Markdown, without HTML: a paragraph of its own begins after a stroke. */
function plain(text: string): string {
	return text
		.replace(/\s*(?:<br>|\n)+\s*/g, ' / ')
		.replace(/<[^>]*>/g, '')
		.trim()
		.replace(/[*`[\\]|(?<!\w)_|_(?!\w)/g, '\\$&');
}
