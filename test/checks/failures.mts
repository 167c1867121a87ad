import { markdownTable } from 'markdown-table';

import type { ServiceFailure } from '../../nodes/shared/client/failures.ts';
import { failureClassOf } from '../../nodes/shared/client/failure-classes.ts';
import { explain } from '../../nodes/shared/errors/explain.ts';
import { decisionsOn, OF_NO_REQUEST, WHAT_HAPPENED } from '../failures.mts';

const UNCERTAIN = '**not** tried again: it may have been processed';
const WORDS: Record<string, string> = {
	again: 'tried again',
	final: 'error',
	mayHaveActed: UNCERTAIN,
	mayBeBilled: UNCERTAIN,
};

/** The table of docs/reliability.md. Throws where the failures of a line do not mean the same. */
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
				`test/failures.mts: what stands under "${words}" in \`WHAT_HAPPENED\` is not all answered alike (${found}). Move what differs into the set of a line that is answered like it (AWAY, REFUSALS), or give it a line of its own.`,
			);
		}
		const [reads, calls] = decided.split('|');
		return [words, reads, /^A list/.test(words) ? '–' : calls];
	});
	return markdownTable([head, ...lines], { alignDelimiters: false });
}

/** The snapshot failures.md: what every failure means, and what is done about it. */
export function failuresPage(): string {
	const failures = [...WHAT_HAPPENED.flatMap(([, ofLine]) => ofLine), ...OF_NO_REQUEST];
	const head = ['safe', 'acts', 'billed', 'processed', 'retry', 'scope', 'cause'] as const;
	const groups = Map.groupBy(failures, (failure) => {
		const { cause } = explain(failure, {}).cause ?? {};
		const told = { ...decisionsOn(failure), ...failureClassOf(failure), cause };
		return head.map((column) => told[column] ?? '').join('|');
	});
	const lines = [...groups].map(([told, group]) => [namesOf(group), ...told.split('|')]);
	return `# Failures

<!-- Written by \`npm run generate\`; changes made by hand are lost. -->

What each failure means (\`nodes/shared/client/failure-classes.ts\`), whether a request that is safe, acts or is billed is sent again, and the cause that n8n is told.

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
