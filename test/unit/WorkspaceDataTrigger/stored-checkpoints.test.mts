/**
 * Tests how the triggers of one workflow store checkpoints in n8n's static data. By default, each trigger has a copy of
 * all static data, and saving a copy overwrites everything.
 */
import fc from 'fast-check';
import type { IDataObject, INode } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import {
	loadCheckpoint,
	saveCheckpoint,
} from '../../../nodes/WorkspaceDataTrigger/stored-checkpoints.ts';
import type { Checkpoint } from '../../../nodes/shared/changes/checkpoint.ts';

const stateOf = (what: unknown): Checkpoint => ({ what }) as unknown as Checkpoint;
const copyOf = (data: IDataObject): IDataObject => JSON.parse(JSON.stringify(data)) as IDataObject;

let processes = 0;

/** Static data of a workflow in a simulated n8n: in its database, and as a copy for each active trigger. */
class Held {
	database: IDataObject = {};
	private active = new Map<string, { name: string; staticData: IDataObject }>();
	/**
	 * ID of the workflow. A new ID simulates a new process, because the package keeps the data of a process under the
	 * workflow ID.
	 */
	private workflow = `workflow ${++processes}`;

	/** Publishes a trigger with this node name. n8n then polls with a copy of the static data in its database. */
	publish(id: string, name: string): void {
		this.active.set(id, { name, staticData: copyOf(this.database) });
	}

	restart(): void {
		this.workflow = `workflow ${++processes}`;
		for (const [id, { name }] of this.active) this.publish(id, name);
	}

	read(id: string): unknown {
		return loadCheckpoint(this.context(id));
	}

	/** Polls and saves a checkpoint. n8n writes the static data to its database only if the poll returned records. */
	poll(id: string, what: unknown, end: 'records' | 'nothing' | 'discarded' = 'records'): void {
		const context = this.context(id);
		loadCheckpoint(context);
		saveCheckpoint(context, stateOf(what));
		const { staticData } = context.workflow;
		if (end === 'records') this.database = copyOf(staticData);
	}

	isActive(id: string): boolean {
		return this.active.has(id);
	}

	private context(id: string) {
		const { name, staticData } = this.active.get(id) ?? { name: id, staticData: {} };
		return {
			getNode: () => ({ id, name }) as INode,
			getWorkflow: () => ({ id: this.workflow, active: true }),
			getWorkflowStaticData: () => (staticData[`node:${name}`] ??= {}) as IDataObject,
			workflow: { staticData },
		};
	}
}

const id = fc.constantFrom('a', 'b', 'c');
const step = fc.oneof(
	fc.record({ do: fc.constantFrom('records', 'nothing', 'restart'), id }),
	fc.record({ do: fc.constant('publish'), id, name: fc.constantFrom('A', 'B', 'C') }),
);

describe('checkpoints of the triggers of one workflow', () => {
	it('loads the last checkpoint of each trigger after triggers are renamed or published, or n8n restarts', () => {
		const property = fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
			const held = new Held();
			const delivered = new Map<string, number>();
			const polled = new Map<string, number>();
			for (const [at, one] of steps.entries()) {
				if ('name' in one) held.publish(one.id, one.name);
				else if (one.do === 'restart') held.restart();
				else if (held.isActive(one.id)) {
					held.poll(one.id, at, one.do as 'records' | 'nothing');
					polled.set(one.id, at);
					if (one.do === 'records') delivered.set(one.id, at);
				}
				for (const node of ['a', 'b', 'c']) {
					if (!held.isActive(node)) continue;
					const { what } = (held.read(node) ?? {}) as { what?: number };
					// Checkpoints after the last poll with records may be lost, because n8n saves nothing after a poll
					// without records.
					const least = delivered.get(node) ?? -1;
					expect(what ?? -1).toBeGreaterThanOrEqual(least);
					expect(what ?? -1).toBeLessThanOrEqual(polled.get(node) ?? -1);
				}
			}
		});
		fc.assert(property, { numRuns: 2_000 });
	});

	it('does not load a checkpoint that n8n discarded before the trigger was published again', () => {
		const held = new Held();
		for (const node of ['a', 'b']) held.publish(node, node);
		for (const node of ['a', 'b']) held.poll(node, 1);
		held.poll('b', 2, 'discarded');
		held.publish('b', 'b');
		held.read('b');
		held.poll('a', 3);
		held.restart();
		expect(held.read('b')).toEqual({ what: 1 });
	});

	it('keeps at most four checkpoints of nodes that the current n8n process has not polled', () => {
		const held = new Held();
		for (const node of ['1', '2', '3', '4', '5', '6']) {
			held.publish(`node ${node}`, 'Trigger');
			held.poll(`node ${node}`, node);
			held.restart();
		}
		const { workspaceData } = held.database['node:Trigger'] as Record<string, IDataObject>;
		const kept = ['2', '3', '4', '5', '6'].map((node) => `node ${node}`);
		expect(Object.keys(workspaceData)).toEqual(kept);
		expect(held.read('node 2')).toEqual({ what: '2' });
		expect(held.read('node 1')).toBeUndefined();
	});

	it('saves and loads a checkpoint if n8n gives the trigger only the static data of its own node', () => {
		const data: IDataObject = {};
		const context = {
			getNode: () => ({ id: 'a', name: 'A' }) as INode,
			getWorkflow: () => ({ active: true }),
			getWorkflowStaticData: () => data,
		};
		saveCheckpoint(context, stateOf(1));
		saveCheckpoint(context, stateOf(1));
		expect(data).toEqual({ workspaceData: { a: { count: 1, state: { what: 1 } } } });
		expect(loadCheckpoint(context)).toEqual({ what: 1 });
	});
});
