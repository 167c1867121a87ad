/** Triggers of one workflow, as n8n keeps what they save by default: each has a copy, and every save replaces all. */
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

/** What n8n holds of a workflow: in its database, and for each trigger that is active. */
class Held {
	database: IDataObject = {};
	private active = new Map<string, { name: string; staticData: IDataObject }>();
	/** What is remembered by the process goes by it. */
	private workflow = `workflow ${++processes}`;

	/** Publishes a trigger under a name; n8n polls with a copy of what it has stored. */
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

	/** A poll. With records, n8n saves all that it holds for this trigger; a poll that it throws away is not saved. */
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
	it('are found as they were saved last, whatever else is published, renamed, saved or restarted', () => {
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
					// What came after the last records may be lost, since nothing came of it.
					const least = delivered.get(node) ?? -1;
					expect(what ?? -1).toBeGreaterThanOrEqual(least);
					expect(what ?? -1).toBeLessThanOrEqual(polled.get(node) ?? -1);
				}
			}
		});
		fc.assert(property, { numRuns: 2_000 });
	});

	it('do not include those that n8n discarded, after the trigger is published again', () => {
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

	it('include at most four of nodes that this process does not know', () => {
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

	it("are found by the node's name if n8n shows nothing else of the workflow", () => {
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
