import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { packPackage } from '../n8n/package-tarball.mts';
import { repositoryFolder } from '../n8n/paths.mts';
import { reservedDomain } from './address.mts';
import { problem, unmet } from './finding.mts';
import type { Check, Finding } from './finding.mts';

const mostBytes = 100 * 1024;

const expectedFiles =
	/^(package\.json|README\.md|LICENSE\.md|CHANGELOG\.md|dist\/(credentials|nodes)\/.+\.js|dist\/nodes\/\w+\/(\w+\.node|__schema__\/v1\.0\.0\/\w+\/\w+)\.json|dist\/icons\/\w+(\.dark)?\.svg)$/;

/** n8n's rules on the source, and on the package as it would be published. */
export const tarballChecks: Check[] = [
	{
		name: "n8n's strict lint passes",
		find: () => commandPasses('npm', ['exec', 'n8n-node', 'lint']),
	},
	{
		name: "n8n's package scan passes on the source",
		find: () => scanPasses(repositoryFolder, 'source'),
	},
	{ name: 'The package holds what it should, and the scan passes on it', find: findInTarball },
];

async function commandPasses(file: string, commandArguments: string[]): Promise<Finding[]> {
	const run = await execa(file, commandArguments, {
		cwd: repositoryFolder,
		reject: false,
		all: true,
	});
	return run.exitCode === 0 ? [] : [problem(run.all)];
}

async function scanPasses(folder: string, part: 'source' | 'package'): Promise<Finding[]> {
	return await commandPasses(process.execPath, ['test/n8n/scan.mts', folder, part]);
}

async function findInTarball(): Promise<Finding[]> {
	const folder = await mkdtemp(path.join(tmpdir(), 'publish-check-'));
	try {
		const tarball = await packPackage(folder);
		await execa('tar', ['-xzf', tarball, '-C', folder]);
		const unpacked = path.join(folder, 'package');
		const entries = await readdir(unpacked, { recursive: true, withFileTypes: true });
		const files = entries
			.filter((entry) => entry.isFile())
			.map((entry) => path.relative(unpacked, path.join(entry.parentPath, entry.name)));
		const { size } = await stat(tarball);
		return [
			...unmet({ [`Under ${mostBytes} bytes (${size})`]: size < mostBytes }),
			...files
				.filter((file) => !expectedFiles.test(file))
				.map((file) => problem(`Without ${file}`)),
			...(await scanPasses(unpacked, 'package')),
			...(await findInTexts(unpacked, files)),
		];
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

async function findInTexts(folder: string, files: string[]): Promise<Finding[]> {
	const findings: Finding[] = [];
	for (const file of files) {
		const text = await readFile(path.join(folder, file), 'utf8');
		if (text.includes('sourceMappingURL')) findings.push(problem(`A source map in ${file}`));
		const [found] = reservedDomain.exec(text) ?? [];
		if (found) findings.push({ kind: 'placeholder', text: `${file} in the package: ${found}` });
	}
	return findings;
}
