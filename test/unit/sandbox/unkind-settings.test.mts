import { describe, expect, test } from 'vitest';
import { startSandbox, type Unkindness } from '../../sandbox/server.mts';
import { send } from '../../sandbox/test-client.mts';
import { unkindSettings } from '../../sandbox/unkind.mts';
import { companies, useUnkindService } from './unkind-service.mts';

const service = useUnkindService();
const { list } = service;

describe('how the settings are given', () => {
	const control = (body: unknown) =>
		send(service.sandbox, '/sandbox/settings', { credential: null, body, method: 'POST' });

	test('all are off by default, and again after {}', async () => {
		const kind = [(await list('sort=updated_at&limit=10')).text, (await list('page=2')).text];
		const everything: Unkindness = {
			silentPageCap: 2,
			extraRecords: 1,
			numericIds: true,
			undated: { every: 2, place: 'first' },
			zonelessDates: true,
			echoSecrets: true,
			pageInQueryIgnored: true,
			latencyPerRecordMs: 1,
			prospectTotal: 9,
		};
		const withoutContext = (text: string) => text.replace(/"ctx_id":"[^"]*"/, '');
		service.sandbox.setUnkind(everything);
		expect(withoutContext((await list('page=2')).text)).not.toBe(withoutContext(kind[1] ?? ''));
		service.sandbox.setUnkind({});
		const again = [(await list('sort=updated_at&limit=10')).text, (await list('page=2')).text];
		expect(again.map(withoutContext)).toEqual(kind.map(withoutContext));
	});

	test('at the start, and over HTTP with null for none', async () => {
		const small = await startSandbox({ companies: 9, unkind: { silentPageCap: 4 } });
		const { body } = await send(small, companies);
		await small.stop();
		expect(body.data.items).toHaveLength(4);
		expect((await control({ unkind: { silentPageCap: 3 } })).status).toBe(200);
		expect((await list('limit=10')).body.data.items).toHaveLength(3);
		expect((await control({ unkind: null })).status).toBe(200);
		expect((await list('limit=10')).body.data.items).toHaveLength(10);
	});

	test.each<[unknown, string]>([
		[{ silentPageCup: 3 }, 'no unkind setting "silentPageCup"'],
		[{ toString: true }, 'no unkind setting "toString"'],
		[{ silentPageCap: 0 }, 'silentPageCap cannot be 0'],
		[{ silentPageCap: '3' }, 'silentPageCap cannot be "3"'],
		[{ numericIds: 'yes' }, 'numericIds cannot be'],
		[{ undated: { every: 2 } }, 'undated cannot be'],
		[{ undated: { every: 2, place: 'first', other: 1 } }, 'undated cannot be'],
		[{ refusePageSizeAbove: { size: 10, status: 500 } }, 'refusePageSizeAbove cannot be'],
		[{ rateLimit: { algorithm: 'leaky', requests: 1, windowMs: 1 } }, 'rateLimit cannot be'],
		[{ rateLimit: { algorithm: 'fixedWindow', requests: 1, windowMs: 0 } }, 'rateLimit cannot be'],
		[{ redirectTo: 'elsewhere' }, 'redirectTo cannot be'],
		[{ redirectTo: 'http://127.0.0.1:1/path' }, 'redirectTo cannot be'],
		[{ dailyQuota: -1 }, 'dailyQuota cannot be'],
		[{ rowCap: 0 }, 'rowCap cannot be 0'],
		[{ nothingAbove: 0 }, 'nothingAbove cannot be 0'],
		[{ total: 'none' }, 'total cannot be "none"'],
		[{ total: { factor: -1 } }, 'total cannot be'],
		[{ totalInPages: 1.5 }, 'totalInPages cannot be 1.5'],
		[{ emptyPages: { count: 3 } }, 'emptyPages cannot be'],
		[{ descending: 'id' }, 'descending cannot be'],
		[{ changingField: 'logo_url' }, 'changingField cannot be'],
		[{ cursorsBoundToLimit: 100 }, 'cursorsBoundToLimit cannot be 100'],
		[{ cursorsArePositions: 'yes' }, 'cursorsArePositions cannot be'],
		[{ cursorsBoundToKey: 1 }, 'cursorsBoundToKey cannot be 1'],
		[{ cursorLifeMs: -1 }, 'cursorLifeMs cannot be -1'],
		[{ deadCursorStatus: 404 }, 'deadCursorStatus cannot be 404'],
		[{ pageSizeAlways: 0 }, 'pageSizeAlways cannot be 0'],
		[{ dates: 'minutes' }, 'dates cannot be "minutes"'],
		['numericIds', 'unkind must be an object'],
	])('%j is refused', async (settings, message) => {
		expect(() => service.sandbox.setUnkind(settings as Unkindness)).toThrow(message);
		const answer = await control({ unkind: settings });
		expect(answer.status).toBe(400);
		expect(answer.body.error.message).toContain(message);
	});

	test('an unknown setting beside them is refused too', async () => {
		expect((await control({ unknd: {} })).status).toBe(400);
	});

	test('each has a meaning to print', () => {
		for (const meaning of Object.values(unkindSettings)) expect(meaning).not.toBe('');
	});
});
