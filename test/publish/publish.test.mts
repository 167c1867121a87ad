import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cloneThisCheckout, fillIn, filledIn, placeholder } from './clone.mts';
import type { Clone } from './clone.mts';

let clone: Clone;

beforeAll(async () => {
	clone = await cloneThisCheckout();
});

afterAll(async () => {
	await clone?.remove();
});

const failed = (printed: string) => printed.split('\n').filter((line) => line.startsWith('✗'));

describe('npm run publish:check in a clone', () => {
	test('finds exactly the placeholders while there is no public address', async () => {
		await fillIn(clone, placeholder);
		const { exitCode, printed } = await clone.run('npm', ['run', 'publish:check']);
		expect(printed).toMatch(/Not ready to be published: 0 problems, [1-9]\d* placeholders\./);
		expect(exitCode).toBe(1);
		expect(failed(printed)).toEqual([
			'✗ The package holds what it should, and the scan passes on it',
			'✗ The address is filled in everywhere',
		]);
		expect(printed).toContain('[ ] ');
	});

	test('passes when the address is filled in', async () => {
		await fillIn(clone, filledIn);
		const { exitCode, printed } = await clone.run('npm', ['run', 'publish:check']);
		expect(failed(printed)).toEqual([]);
		expect(printed).toContain('Passed: 0 problems, 0 placeholders.');
		expect(exitCode).toBe(0);
	});

	test('takes another name for the package, everywhere, and back', async () => {
		await fillIn(clone, filledIn);
		await clone.git('commit', '--all', '--quiet', '--message', 'The address');
		await fillIn(clone, { ...filledIn, name: `${filledIn.name}-two` });
		const left = await clone.run('git', [
			'grep',
			'-lP',
			`${filledIn.name}(?!-two)`,
			'--',
			':!test/publish',
		]);
		expect(left.printed).toBe('');
		await fillIn(clone, filledIn);
		expect(await clone.git('status', '--short')).toBe('');
	});
});

describe('what publish:check would not let pass', () => {
	test.each([
		['package.json', '"license": "MIT"', '"license": "ISC"', 'The license is MIT'],
		['README.md', '## Credentials', '## Keys', 'README has the sections'],
		['icons/workspaceData.svg', /#1f5fd0/g, '#eeeeee', 'Icons'],
		['.github/workflows/ci.yml', 'npm run typecheck', 'npm run types', 'The CI pipeline runs'],
		['.github/workflows/publish.yml', /@[0-9a-f]{40} # v/, '@v', 'The pipelines have few rights'],
		['.github/workflows/publish.yml', 'needs: publish', 'needs: a-job', 'actionlint'],
		['package-lock.json', /"license": "ISC"/, '"license": "GPL-3.0"', 'Licenses'],
	] as const)('%s: %s → %s', async (file, from, to, check) => {
		await clone.git('checkout', '--quiet', '--', '.');
		await fillIn(clone, filledIn);
		await clone.edit(file, from, to);
		const { printed } = await clone.run('npm', ['run', 'publish:check', '--', '--quick']);
		expect(failed(printed).join('\n')).toContain(check);
	});
});
