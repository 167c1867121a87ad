// npm run test:mutation -- client: changes the code of nodes/client/ in small ways, one after the other, and tells which
// changes no unit test of the folder notices. Each of them wants a better test, or a line less. For one file, and for
// the tests whose names begin alike only, which is quicker: npm run test:mutation -- client/retry.ts client/retry
import { statSync } from 'node:fs';
import path from 'node:path';
import { Stryker } from '@stryker-mutator/core';

const [target = '', tests] = process.argv.slice(2);
process.chdir(path.resolve(import.meta.dirname, '..'));
const isFolder = statSync(path.join('nodes', target)).isDirectory();
const artifacts = 'test/artifacts/mutation';
const folder = isFolder ? target : path.dirname(target);
process.env.TESTS_OF_MUTANTS = path.join('test/unit', tests ?? path.join(folder, '**/'));

await new Stryker({
	mutate: [path.join('nodes', target, isFolder ? '**/*.ts' : '')],
	testRunner: 'vitest',
	vitest: { configFile: 'test/mutation.vitest.config.mts' },
	ignorePatterns: ['.n8n', 'dist', 'test/artifacts'],
	concurrency: 1,
	timeoutFactor: 4,
	timeoutMS: 20_000,
	tempDirName: `${artifacts}/work`,
	reporters: ['clear-text', 'progress-append-only', 'html'],
	clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false },
	htmlReporter: { fileName: `${artifacts}/report.html` },
}).runMutationTest();
