/**
 * Random histories against a service less kind than the specification asks for, in n8n's engine, over real HTTP.
 * One property: what comes out is exactly right, or an error says what is missing. A failing history is printed
 * with its seed and path; SEED and UNKIND_PATH play it again, UNKIND_HISTORIES plays more.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startSandbox, type Sandbox, type Unkindness } from '../../sandbox/server.mts';
import { seed } from '../../seed.mts';
import { closeHarness } from '../harness/harness.mts';
import { drawnHistory, type DrawnHistory } from './drawing.mts';
import { drawnSettings } from './drawing-settings.mts';
import type { Outcome } from './outcome.mts';
import { play } from './play.mts';

const { UNKIND_PATH, UNKIND_HISTORIES } = process.env;
const histories = Number(UNKIND_HISTORIES ?? 200);
/** After a failure, smaller ones are looked for so long. */
const mostMs = 240_000;

// Full jitter makes the waits up to a second long; their lengths have unit tests of their own.
vi.spyOn(Math, 'random').mockReturnValue(0.02);

let moved: Sandbox;
beforeAll(async () => {
	moved = await startSandbox({ companies: 5, orders: 5, items: 5, deals: 5 });
});
afterAll(async () => {
	await moved.stop();
	await closeHarness();
});

const counts = new Map<string, Record<Outcome, number>>();

function note(name: string, outcome: Outcome): void {
	const row = countOf(name);
	counts.set(name, { ...row, [outcome]: row[outcome] + 1 });
}

function countOf(name: string): Record<Outcome, number> {
	return counts.get(name) ?? { right: 0, error: 0, hidden: 0 };
}

/** The rows of the table of outcomes; a history counts in several. */
const rows = [
	'all',
	'list',
	'call',
	'trigger',
	'all kind',
	'unkind',
	'with faults',
	...drawnSettings,
];

/** Every setting of a history, those of a trigger's rounds included. */
function settingsOf(history: DrawnHistory): string[] {
	const rounds = history.kind === 'trigger' ? history.rounds.map(({ unkind }) => unkind) : [];
	const all: Unkindness[] = [history.unkind, ...rounds];
	return [...new Set(all.flatMap((unkind) => Object.keys(unkind)))];
}

function faultsOf(history: DrawnHistory): unknown[] {
	const rounds = history.kind === 'trigger' ? history.rounds.flatMap(({ faults }) => faults) : [];
	return [...history.faults, ...rounds];
}

async function playAndNote(history: DrawnHistory): Promise<void> {
	const outcome = await play(history, moved);
	const settings = settingsOf(history);
	const hasFaults = faultsOf(history).length > 0;
	const isUnkind = settings.length > 0;
	if (!isUnkind && !hasFaults) expect(outcome).toBe('right');
	const disturbance = hasFaults ? 'with faults' : isUnkind ? 'unkind' : 'all kind';
	for (const name of ['all', history.kind, disturbance, ...settings]) note(name, outcome);
}

test(
	`what comes out is exactly right, or an error says what is missing (${histories} histories)`,
	async () => {
		await fc.assert(fc.asyncProperty(drawnHistory, playAndNote), {
			numRuns: histories,
			seed,
			path: UNKIND_PATH,
			interruptAfterTimeLimit: mostMs,
			markInterruptAsFailure: true,
		});
		console.log(`Seed ${seed}: how the histories ended, by setting.`);
		console.table(Object.fromEntries(rows.map((name) => [name, countOf(name)])));
		if (UNKIND_PATH !== undefined) return;
		for (const name of rows) {
			const { right, error, hidden } = countOf(name);
			expect(right + error + hidden, `histories of the row "${name}"`).toBeGreaterThan(
				histories / 100,
			);
			// Failing always would have the property, too. Behind a redirect nothing can be right.
			if (name !== 'redirectTo') expect(right, `right ones of "${name}"`).toBeGreaterThan(0);
		}
		expect(countOf('all').right).toBeGreaterThan(histories * 0.5);
	},
	mostMs + 60_000,
);
