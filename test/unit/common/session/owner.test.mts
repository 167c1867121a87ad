import fc from 'fast-check';
import type { INode } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { Client } from '../../../../nodes/client/api.ts';
import { readCredential } from '../../../../nodes/client/credential.ts';
import { WrittenNumber } from '../../../../nodes/client/exact-json.ts';
import { findOwner, workspaceIds } from '../../../../nodes/common/session/owner.ts';

const enveloped = (data: object, more: object = {}): object => ({
	success: true,
	data,
	meta: { ctx_id: 'c1', workspace_of_request: 'w' },
	...more,
});

/** The names of the workspace that an answer of whoami is about. */
const workspaceOf = (body: unknown): string[] =>
	workspaceIds(body).map(({ name, value }) => `${name} ${value}`);

describe('the workspace', () => {
	it.each([
		['an object', (name: unknown) => enveloped({ workspace: { id: name, name: 'Acme' } })],
		['a text', (name: unknown) => enveloped({ workspace: name })],
		['an id', (name: unknown) => enveloped({ workspace_id: name, permission: 'full' })],
		['a number', (name: unknown) => ({ workspaceId: String(name).length, of: name })],
		['something deeper', (name: unknown) => enveloped({ key: { workspace_code: name } })],
		['a whole body', (name: unknown) => ({ workspace: { uuid: name, plan: 'b' } })],
	])('tells workspaces apart where whoami names them by %s', (_form, answer) => {
		expect(workspaceOf(answer('first'))).toEqual([expect.stringMatching(/first|5$/)]);
		expect(workspaceOf(answer('first'))).toEqual(workspaceOf(answer('first')));
		expect(workspaceOf(answer('second'))).not.toEqual(workspaceOf(answer('first')));
	});

	it('does not change with the permission level, the request, a parent or the order of the fields', () => {
		const one = enveloped({
			workspace: { id: 'w1', region: 'eu' },
			permission_level: 'full',
			workspace_role: 'owner',
			permissions: { workspace: 'write' },
			is_workspace_admin: true,
			key_name: 'a',
		});
		const other = {
			meta: { ctx_id: 'c2', workspace_of_request: 'v' },
			data: {
				key_name: 'b',
				permissions: { workspace: 'read' },
				is_workspace_admin: false,
				workspace_role: 'guest',
				permission_level: 'regular',
				workspace: { region: 'us', id: 'w1', parent: { workspace_id: 'w0' } },
			},
		};
		expect(workspaceOf(other)).toEqual(workspaceOf(one));
	});

	it.each<[object, object]>([
		[{ id: 7 }, { name: 'Acme', parent_workspace_id: 9, id: 7 }],
		[{ id: '7' }, { id: 7 }],
		[{ id: '90071992547409931' }, { id: new WrittenNumber('90071992547409931') }],
		[{ uuid: 'u' }, { code: 'c', uuid: 'u', guid: 'g' }],
		[{ code: 'c' }, { code: 'c', parent: { workspace_id: 9 }, owner: { id: 9 } }],
	])('is told by one id: %j stays itself as %j', (before, after) => {
		const [[one], [other]] = [before, after].map((workspace) =>
			workspaceOf(enveloped({ workspace })),
		);
		expect(other).toBe(one);
		expect(one).toMatch(/^\w+ \w+$/);
	});

	it('keeps the name that it had, whatever fields come in beside it', () => {
		const names = ['id', 'uuid', 'workspace', 'workspace_id', 'workspaceCode', 'key', 'name'];
		const key = fc.constantFrom(...names);
		const answers = fc.object({ key, values: [fc.nat(3), key], maxDepth: 4 });
		const property = fc.property(answers, fc.subarray(names), (answer, old) => {
			const [before] = workspaceOf(JSON.parse(JSON.stringify(answer, old)));
			expect([undefined, ...workspaceOf(answer)]).toContain(before);
		});
		fc.assert(property);
	});

	it.each([
		enveloped({ workspace: { name: 'Acme', slug: 'acme', record_count: 1, owner: { id: 1 } } }),
		enveloped({ parent_workspace: { id: 9 }, parent_workspace_id: 9 }),
		undefined,
		null,
		'workspace',
		[],
		{},
		enveloped({ permission_level: 'full' }),
		enveloped({ workspace: null, workspaces: [{ id: 1 }], workspace_name: '', workspace_ok: true }),
	])('knows no workspace in %j', (body) => {
		expect(workspaceOf(body)).toEqual([]);
	});
});

describe('findOwner', () => {
	const limits = { maxRetries: 0, maxWaitMs: 0, timeoutMs: 1 };
	/** Asks twice with one key, where the service answers or fails like this; each key is one of its own address. */
	const askTwice = async (bearer: string, answer: () => object, credentials?: object) => {
		let asked = 0;
		const client = async () => {
			asked++;
			const body = answer();
			return { body, text: JSON.stringify(body) };
		};
		const credential = readCredential({ baseUrl: `https://at-${bearer}.test`, apiKey: bearer });
		const session = { client: client as unknown as Client, credential };
		const context = { getNode: () => ({ credentials }) as unknown as INode };
		const owners = [
			await findOwner(context, session, limits),
			await findOwner(context, session, limits),
		];
		expect(owners[0]).toEqual(owners[1]);
		return { asked, owner: owners[0] };
	};

	let labels = 0;
	it('asks whoami once, and knows the workspace, also by another key at another address, and the credential', async () => {
		const answer = enveloped({ workspace: { id: 'w1' } });
		const credentials = { workspaceDataApi: { id: 'c1', name: 'Key' } };
		const digest = expect.stringMatching(/^.{11}$/);
		const owner = { workspace: digest, names: [digest], access: digest, label: 'w1' };
		const first = await askTwice('one', () => answer, credentials);
		expect(first).toEqual({ asked: 1, owner });
		const second = await askTwice('two', () => answer, { workspaceDataApi: { id: 'c2' } });
		expect(second.owner.workspace).toBe(first.owner.workspace);
		expect(second.owner.access).not.toBe(first.owner.access);
	});

	it.each([
		[{ code: 'w1' }, null],
		[{ code: 'c', uuid: 'u-1' }, 'u-1'],
		['Acme Inc.', 'Acme Inc.'],
		[{ id: '<b>' }, null],
		[{ id: 'x'.repeat(41) }, null],
		[{ id: 'key-of-label-5' }, null],
	])('of %j shows %s: no code, no secret, and nothing long', async (workspace, label) => {
		const isKey = JSON.stringify(workspace).includes('key-of-label-5');
		const bearer = isKey ? 'key-of-label-5' : `labels-${++labels}`;
		const { owner } = await askTwice(bearer, () => enveloped({ workspace }));
		expect(owner.label).toBe(label);
	});
});
