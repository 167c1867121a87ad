import { markdownTable } from 'markdown-table';

import type { ServiceFailure } from '../../nodes/shared/client/failures.ts';
import { failureClassOf } from '../../nodes/shared/client/failure-classes.ts';
import { explain } from '../../nodes/shared/errors/explain.ts';
import { decisionsOn, OF_NO_REQUEST, WHAT_HAPPENED } from '../failures.mts';

const UNCERTAIN = '**not** retried: it may have been processed';
const WORDS: Record<string, string> = {
	again: 'retried',
	final: 'error',
	mayHaveActed: UNCERTAIN,
	mayBeBilled: UNCERTAIN,
};

/**
 * Returns the table of failures for docs/reliability.md. Throws if the failures in one row have different retry
 * decisions.
 */
export function tableOfFailures(): string {
	const head = [
		'What happened',
		'Harmless if sent twice: lists, changes, Who Am I',
		'Acts or may be billed, such as Enrich',
	];
	const lines = WHAT_HAPPENED.map(([words, failures]) => {
		const decisions = failures.map((failure) => {
			const { safe, acts, billed } = decisionsOn(failure);
			return [WORDS[safe], ...new Set([WORDS[acts], WORDS[billed]])].join('|');
		});
		const [decided, ...others] = new Set(decisions);
		if (others.length > 0) {
			const found = [decided, ...others].join(', or ');
			throw new Error(
				`test/failures.mts: the failures under "${words}" in \`WHAT_HAPPENED\` lead to different decisions (${found}). Move failures to a line with the same decision (AWAY, REFUSALS), or to a new line.`,
			);
		}
		const [reads, calls] = decided.split('|');
		return [words, reads, /^A list/.test(words) ? '–' : calls];
	});
	return markdownTable([head, ...lines], { alignDelimiters: false });
}

/**
 * Returns the text of the snapshot failures.md. It lists the class, the retry decisions and the cause reported to n8n
 * for every kind of failure.
 */
export function failuresPage(): string {
	const failures = [...WHAT_HAPPENED.flatMap(([, ofLine]) => ofLine), ...OF_NO_REQUEST];
	const head = ['safe', 'acts', 'billed', 'processed', 'retry', 'scope', 'cause'] as const;
	const groups = Map.groupBy(failures, (failure) => {
		const { cause } = explain(failure, {}).cause ?? {};
		const decision = { ...decisionsOn(failure), ...failureClassOf(failure), cause };
		return head.map((column) => decision[column] ?? '').join('|');
	});
	const lines = [...groups].map(([decision, group]) => [namesOf(group), ...decision.split('|')]);
	return `# Failures

<!-- Written by \`npm run generate\`; changes made by hand are lost. -->

The class of each failure (\`nodes/shared/client/failure-classes.ts\`), whether a request that is safe, acts or is billed is retried, and the cause that the node reports to n8n.

${markdownTable([['failure', ...head], ...lines], { alignDelimiters: false })}
`;
}

function namesOf(group: ServiceFailure[]): string {
	const names = Map.groupBy(group, ({ kind, facts }) => {
		const waits = facts.retryAfterMs === undefined ? '' : ', Retry-After';
		return kind + waits + (facts.movedTo === undefined ? '' : ', other host');
	});
	return [...names]
		.map(([name, same]) => {
			const codes = same.flatMap(({ facts }) => facts.statusCode ?? []);
			return [name, rangesOf(codes.toSorted())].filter(Boolean).join(' ');
		})
		.join('; ');
}

function rangesOf(codes: readonly number[]): string {
	const starts = codes.filter((code) => !codes.includes(code - 1));
	const ends = codes.filter((code) => !codes.includes(code + 1));
	const ranges = starts.map((start, at) => (start === ends[at] ? start : `${start}–${ends[at]}`));
	return ranges.join(', ');
}
