import { expect, test } from 'vitest';

import { startedText } from '../n8n/started-text.mts';
import { sandboxCredentials } from '../sandbox/authentication.mts';

const text = startedText({
	server: { url: 'http://localhost:5678', logFile: '/checkout/.n8n/n8n.log' },
	sandbox: { url: 'http://127.0.0.1:4010' },
});

test('npm start tells the addresses and how to sign in', () => {
	for (const part of [
		'http://localhost:5678',
		'owner@sandbox.example',
		'Fake-password-1',
		'http://127.0.0.1:4010',
		'/checkout/.n8n/n8n.log',
	]) {
		expect(text).toContain(part);
	}
});

test('npm start tells every key of the sandbox, with its kind and level', () => {
	const { v2Full, v2Regular, v1AllScopes } = sandboxCredentials;
	expect(text).toMatch(new RegExp(`^  v2 key, Full access: +${v2Full}$`, 'm'));
	expect(text).toMatch(new RegExp(`^  v2 key, Regular access: +${v2Regular}$`, 'm'));
	expect(text).toMatch(new RegExp(`^  v1 token, all scopes: +${v1AllScopes}$`, 'm'));
	for (const credential of Object.values(sandboxCredentials)) {
		expect(text.split('\n').filter((line) => line.endsWith(`  ${credential}`))).toHaveLength(1);
	}
});
