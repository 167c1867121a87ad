// npm run test:mutation -- client: changes the code of nodes/client/ in small ways, one after the other, and tells which
// changes no test of the folder, or of the one that it is in, notices: unit tests first, then the pages of all texts, then
// tests in n8n's engine. Each wants a better test, or a line less. For one file, and for tests whose names begin alike:
// npm run test:mutation -- client/retry.ts client/retry
// npm run test:mutation -- 'client/{pages,page-fetcher}.ts' 'client/page'
// Stryker makes the changes. Its own runner finds no test with this version of vitest, so vitest is run from here.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Instrumenter, type InstrumentResult } from '@stryker-mutator/instrumenter';
import { createVitest, type TestSpecification } from 'vitest/node';

/** A change with which the tests take this many times as long, and this many ms more, is noticed: it is without an end. */
const MOST_TIMES_AS_LONG = 4;
const AND_MORE_MS = 30_000;
/** The exit code where that was so, since a loop without an end cannot be stopped: another process goes on. */
const STUCK = 75;

const [target = '', tests] = process.argv.slice(2);
const root = path.resolve(import.meta.dirname, '..');
const copy = path.join(
	tmpdir(),
	`mutants-of-workspace-data-${target.replaceAll(/[^\w.-]+/g, '-')}`,
);
const found = path.join(copy, 'found.json');
const isFile = target.endsWith('.ts');

type Mutant = InstrumentResult['mutants'][number];
/** What became of each change, by the tests' kind and the change's number. */
type Found = Record<string, 'killed' | 'survived' | 'not covered' | 'timeout'>;

/** Changes the code, and gives what was changed. */
async function instrument(): Promise<readonly Mutant[]> {
	const mutate = globSync(path.join('nodes', target, isFile ? '' : '**/*.ts'));
	const read = (name: string) => ({
		name,
		mutate: true,
		content: readFileSync(path.join(root, name), 'utf8'),
	});
	const silent = { debug: () => {}, info: () => {}, isDebugEnabled: () => false };
	const { files, mutants } = await new Instrumenter(silent as never).instrument(mutate.map(read), {
		plugins: null,
		excludedMutations: [],
		ignorers: [],
	});
	for (const { name, content } of files) writeFileSync(name, content);
	// The engine loads the build.
	execFileSync('node_modules/.bin/tsc', ['--noCheck'], { stdio: 'inherit' });
	return mutants;
}

/** Counts no more what is run through: unit tests that play random histories take ten times as long with that. */
function stopCounting(mutants: readonly Mutant[]): void {
	for (const name of new Set(mutants.map(({ fileName }) => fileName))) {
		const text = readFileSync(name, 'utf8');
		writeFileSync(name, text.replace(/stryCov_\w+\((?:"\d+"(?:, )?)+\)[,;]\s*/g, ''));
	}
}

/** Runs the tests of one kind against each change that was not noticed before. */
async function testChanges(kind: string, mutants: readonly Mutant[], results: Found) {
	const folder = isFile ? path.dirname(target) : target;
	const places = tests ? [tests] : [`${folder}/**/`, `${path.dirname(folder)}/`];
	const beginnings = places.map((place) => path.join('test', kind, place));
	const those = kind === 'checks' ? ['test/checks/generated'] : beginnings;
	process.env.TESTS_OF_MUTANTS = those.join(';');
	/** @param update writes the pages, by the code as it is */
	const open = async (update = false) =>
		await createVitest('test', {
			config: 'test/mutation.vitest.config.mts',
			// Loading n8n's engine takes seconds.
			isolate: kind !== 'engine',
			...{ watch: false, update },
			bail: 1,
			pool: 'threads',
			maxWorkers: 1,
			reporters: [{}],
			onConsoleLog: () => false,
		});
	let vitest = await open(true);
	/** Runs test files with a change, and gives those that failed. */
	const run = async (specs: TestSpecification[], mutant: string) => {
		if (specs.length === 0) return { modules: [], failed: [], fails: 0 };
		vitest.provide('activeMutant' as never, mutant as never);
		vitest.state.filesMap.clear();
		const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specs);
		const failed = testModules.filter((one) => !one.ok());
		return { modules: testModules, failed, fails: unhandledErrors.length + failed.length };
	};
	let specs = await vitest.globTestSpecifications();
	if (specs.length === 0) return;
	const { modules, fails } = await run(specs, 'none');
	if (fails > 0)
		throw new Error('The tests fail without any change', {
			cause: modules.flatMap((one) =>
				[...one.children.allTests('failed')].map((test) => [test.fullName, test.result().errors]),
			),
		});
	const hits = new Map(
		modules.map((one) => [one.moduleId, (one.meta() as { hits?: string[] }).hits ?? []]),
	);
	if (kind === 'unit') stopCounting(mutants);
	if (kind !== 'engine') {
		await vitest.close();
		vitest = await open();
		specs = await vitest.globTestSpecifications();
	}
	// What is quick comes first, since one test that fails is enough.
	const took = new Map(modules.map((one) => [one.moduleId, one.diagnostic().duration]));
	specs.sort((one, other) => (took.get(one.moduleId) ?? 0) - (took.get(other.moduleId) ?? 0));
	for (const { id } of mutants) {
		const key = `${kind} ${id}`;
		if (results[key] !== undefined || isNoticed(results, id)) continue;
		const isConcerned = ({ moduleId }: TestSpecification) => hits.get(moduleId)?.includes(id);
		const concerned = kind === 'checks' ? specs : specs.filter(isConcerned);
		const usualMs = concerned.reduce((sum, one) => sum + (took.get(one.moduleId) ?? 0), 0);
		const watchdog = setTimeout(
			() => {
				writeFileSync(found, JSON.stringify({ ...results, [key]: 'timeout' }));
				process.exit(STUCK);
			},
			usualMs * MOST_TIMES_AS_LONG + AND_MORE_MS,
		);
		const { fails, failed } = await run(concerned, id);
		clearTimeout(watchdog);
		results[key] = fails > 0 ? 'killed' : concerned.length > 0 ? 'survived' : 'not covered';
		writeFileSync(found, JSON.stringify(results));
		// What has noticed this change will notice the next.
		const rank = ({ moduleId }: TestSpecification) =>
			failed.some((one) => one.moduleId === moduleId) ? 0 : 1;
		specs.sort((one, other) => rank(one) - rank(other));
	}
	await vitest.close();
}

const kinds = ['unit', 'checks', 'engine'];
const isNoticed = (results: Found, id: string): boolean =>
	kinds.some((kind) => ['killed', 'timeout'].includes(results[`${kind} ${id}`]));

async function changeAndTest(): Promise<void> {
	process.chdir(copy);
	const mutants = await instrument();
	const results = JSON.parse(readFileSync(found, 'utf8')) as Found;
	for (const kind of kinds) await testChanges(kind, mutants, results);
	for (const { id, fileName, mutatorName, replacement, location } of mutants) {
		if (isNoticed(results, id)) continue;
		const { line } = location.start;
		const lines = readFileSync(path.join(root, fileName), 'utf8').split('\n');
		const ends = kinds.map((kind) => `${kind}: ${results[`${kind} ${id}`]}`).join(', ');
		console.log(
			`${fileName}:${line + 1} ${mutatorName}, ${ends}\n- ${lines[line].trim()}\n+ ${replacement}\n`,
		);
	}
	const noticed = mutants.filter(({ id }) => isNoticed(results, id));
	console.log(`${target}: ${noticed.length} of ${mutants.length} changes noticed`);
	process.exit(0);
}

if (process.env.IS_MUTATION_RUN === 'yes') await changeAndTest();
else {
	rmSync(copy, { recursive: true, force: true });
	const settings = ['package.json', 'tsconfig.json', '.prettierrc.json'];
	const files = [...settings, ...globSync('*.md', { cwd: root })];
	const folders = ['nodes', 'credentials', 'test', 'tools', 'docs', 'examples', 'icons'];
	for (const name of [...folders, ...files]) {
		const from = path.join(root, name);
		cpSync(from, path.join(copy, name), {
			recursive: true,
			filter: (one) => !one.startsWith(path.join(root, 'test/artifacts')),
		});
	}
	symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
	writeFileSync(found, '{}');
	// A test of dates changes the time zone, which a thread cannot.
	const env = { ...process.env, IS_MUTATION_RUN: 'yes', TZ: 'Europe/Berlin' };
	let status: number | null = STUCK;
	while (status === STUCK) {
		({ status } = spawnSync(process.execPath, process.argv.slice(1), { stdio: 'inherit', env }));
	}
	process.exit(status ?? 1);
}
