import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { packPackage } from '../../test/n8n/package-tarball.mts';
import { repositoryFolder } from '../../test/n8n/paths.mts';
import { PROVIDED_MODULES } from '../../test/provided-modules.mts';
import { reservedDomain } from './address.mts';
import { unmet } from './project.mts';
import type { Check, Finding } from './project.mts';

const maxBytes = 116 * 1024;

const expectedFiles =
	/^(package\.json|README\.md|LICENSE\.md|CHANGELOG\.md|dist\/(credentials|nodes)\/.+\.js|dist\/nodes\/\w+\/(\w+\.node|__schema__\/v1\.0\.0\/\w+\/\w+)\.json|dist\/icons\/\w+(\.dark)?\.svg)$/;

/** Checks the source and the packed package with n8n's package scan. `npm run lint` runs n8n's lint. */
export const tarballChecks: Check[] = [
	{ name: "n8n's package scan passes on the source", find: () => scan(repositoryFolder, 'source') },
	{ name: 'The package holds what it should, and the scan passes on it', find: findInTarball },
];

/**
 * Runs the rules of n8n's package scan. They are called directly, because the scan's command accepts only published
 * packages.
 */
async function scan(folder: string, part: 'source' | 'package'): Promise<Finding[]> {
	// Remove `NODE_ENV`. The rules read it when they are loaded, and behave differently if it is "test".
	delete process.env.NODE_ENV;
	const scanner = await import('@n8n/scan-community-package/scanner/scanner.mjs');
	const patterns = part === 'source' ? scanner.SOURCE_FILE_PATTERNS : undefined;
	const { passed, message, details = '' } = await scanner.analyzePackage(folder, patterns);
	return unmet({ [`${message}\n${details}`]: passed });
}

async function findInTarball(): Promise<Finding[]> {
	const folder = await mkdtemp(path.join(tmpdir(), 'publish-check-'));
	try {
		const tarball = await packPackage(folder);
		await execa('tar', ['-xzf', tarball, '-C', folder]);
		const unpacked = path.join(folder, 'package');
		const { size } = await stat(tarball);
		return [
			...unmet({ [`Under ${maxBytes} bytes (${size})`]: size < maxBytes }),
			...(await scan(unpacked, 'package')),
			...(await findInFolder(unpacked)),
		];
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** Checks the name, modules, icons and addresses of every file in an unpacked package. */
export async function findInFolder(folder: string): Promise<Finding[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile());
	const findings = files.map(({ parentPath, name }) =>
		findInFile(folder, path.join(parentPath, name)),
	);
	return (await Promise.all(findings)).flat();
}

async function findInFile(folder: string, fullName: string): Promise<Finding[]> {
	const file = path.relative(folder, fullName);
	const text = await readFile(fullName, 'utf8');
	const placeholders = reservedDomain.exec(text) ?? [];
	const modules = Array.from(text.matchAll(/\brequire\(["']([^."'][^"']*)/g), ([, name]) => name);
	const foreign = modules.filter((name) => !PROVIDED_MODULES.includes(name));
	const icons = Array.from(text.matchAll(/["']file:([^"']+)["']/g), ([, icon]) => icon);
	const packed = icons.filter((icon) => existsSync(path.resolve(fullName, '..', icon)));
	const needsIcons = /\.(node|credentials)\.js$/.test(file);
	return [
		...unmet({
			[`Without ${file}`]: expectedFiles.test(file),
			[`${file}: only modules that n8n provides (${foreign.join()})`]: foreign.length === 0,
			[`${file}: a light and a dark icon in the package`]: !needsIcons || packed.length === 2,
			[`No source map in ${file}`]: !text.includes('sourceMappingURL'),
		}),
		...placeholders.map((found) => ({
			isPlaceholder: true,
			text: `${file} in the package: ${found}`,
		})),
	];
}
