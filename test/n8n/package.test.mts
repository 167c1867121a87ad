import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packPackage } from './package-tarball.mts';
import { repositoryFolder } from './paths.mts';

const run = promisify(execFile);

let tarball: string;
let unpacked: string;
let files: string[];

beforeAll(async () => {
	await run('npm', ['run', 'build'], { cwd: repositoryFolder });
	const folder = await mkdtemp(join(tmpdir(), 'package-'));
	tarball = await packPackage(folder);
	await run('tar', ['-xzf', tarball, '-C', folder]);
	unpacked = join(folder, 'package');
	const entries = await readdir(unpacked, { recursive: true, withFileTypes: true });
	files = entries
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(unpacked.length + 1));
});

afterAll(async () => {
	await rm(join(unpacked, '..'), { recursive: true, force: true });
});

describe('the package that is published', () => {
	test('is under 100 KB', async () => {
		const { size } = await stat(tarball);
		console.log(`Tarball: ${(size / 1024).toFixed(1)} KB, ${files.length} files`);
		expect(size).toBeLessThan(100 * 1024);
	});

	test('holds the built node, icons, codex, README, license and nothing else', () => {
		const expected =
			/^(package\.json|README\.md|LICENSE\.md|CHANGELOG\.md|dist\/(credentials|nodes)\/.+\.js|dist\/nodes\/\w+\/(\w+\.node|__schema__\/v1\.0\.0\/\w+\/\w+)\.json|dist\/icons\/\w+(\.dark)?\.svg)$/;
		expect(files.filter((file) => !expected.test(file))).toEqual([]);
		expect(files.some((file) => file.endsWith('.node.js'))).toBe(true);
		expect(files).toContain('README.md');
	});

	test('has no runtime dependency and no trace of a source map', async () => {
		const manifest = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8')) as object;
		expect(Object.keys((manifest as { dependencies?: object }).dependencies ?? {})).toEqual([]);
		for (const file of files.filter((name) => name.endsWith('.js'))) {
			expect(await readFile(join(unpacked, file), 'utf8')).not.toContain('sourceMappingURL');
		}
	});
});

describe('the rules of the community package scan, inline disables ignored', () => {
	const scan = async (folder: string, part: string): Promise<string> => {
		const script = join(repositoryFolder, 'test/n8n/scan.mts');
		// A failed scan ends with an error that carries what it printed: the violations.
		const { stdout } = await run(process.execPath, [script, folder, part]).catch(
			(error: { stdout: string }) => error,
		);
		return stdout.trim();
	};

	test('pass on the source', async () => {
		expect(await scan(repositoryFolder, 'source')).toBe('The scan passed.');
	});

	test('pass on the packed tarball', async () => {
		expect(await scan(unpacked, 'package')).toBe('The scan passed.');
	});
});
