import type { INodeProperties } from 'n8n-workflow';

import { changesOptions, eventProperty, startProperties } from '../../shared/panel/changes-options';
import { objectTypeProperty } from '../../shared/panel/object-type';
import { choice, link, notice, number, text } from '../../shared/panel/parameter-builders';
import { displayFor, optionsFor } from '../display';
import { csvFormat, fileOptions, FILES } from '../export/file-options';
import { operationsOf } from '../operations';

/** Text for hints and errors that says where to put Confirm Changes in a workflow. */
export const WHERE_TO_CONFIRM =
	'after all nodes that save the changes, and before Get Changes runs again: at the Done branch of Loop Over Items, inside a loop that leads back to Get Changes, or after the branches of a filter meet again';
const WITH_LOOPS = `${link('sync.md#where-confirm-changes-belongs', 'Where to put it with loops or filters')}.`;

const syncs = operationsOf('changes');

const ownOptions = [
	number('Limit (Records per Run)', 'maxRecords', {
		minValue: 1,
		default: 10_000,
		description:
			'Maximum records per run. The next run returns the rest. Without this option, each run reads to the end of the list.',
	}),
	text('Sync Name', 'syncName', {
		placeholder: 'e.g. companies to the warehouse',
		displayOptions: { hide: { '/progress': ['given'] } },
		description:
			'Name of the saved progress. Change it to start over. Nodes of this workflow with the same name share their progress; a node without a name has its own. For several workspaces in one node, use an expression.',
	}),
];

const FILE_NAMES =
	'the object type and the time of the run, so that no run replaces the files of another';

export const outputAs = choice('Output As', 'outputAs', {
	choices: {
		batch: ['Batch', 'One item with all records of the run'],
		items: ['Items', 'One item per record'],
		...FILES,
	},
	default: 'items',
	description: 'What each output item contains. If nothing has changed, the node returns no item.',
});

export const progress = choice('Progress', 'progress', {
	builderHint: {
		propertyHint:
			'confirmed: add a node Sync: Confirm Changes after the node that saves the changes. given: the workflow stores the checkpoint and passes it to the next run.',
	},
	choices: {
		confirmed: [
			'Advance After Confirm Changes (Safest)',
			'Add Confirm Changes as the last node. Until it runs, the next run returns the same changes.',
		],
		given: [
			'Use My Own Checkpoint',
			'You store the checkpoint of each batch or file, and enter it in the next run',
		],
	},
	default: 'confirmed',
	description: 'When the next run may skip the changes that this run returned',
});

const parameters: INodeProperties[] = [
	objectTypeProperty('Type of the records to read'),
	eventProperty('run'),
	...startProperties('run'),
	outputAs,
	csvFormat,
	progress,
	notice(
		'confirmNotice',
		`Add <b>Confirm Changes</b> as the last node, after your data is saved. Until it runs, the next run returns the same changes. ${WITH_LOOPS}`,
		{ displayOptions: { show: { progress: ['confirmed'] } } },
	),
	text('Checkpoint', 'checkpoint', {
		placeholder: 'e.g. {{ $json.checkpoint }}',
		displayOptions: { show: { progress: ['given'] } },
		description:
			'The checkpoint of the last batch or file that was stored. Leave it empty to start.',
	}),
];

export const syncProperties: INodeProperties[] = [
	...displayFor(syncs, ...parameters),
	...optionsFor(syncs, () => [...changesOptions('run'), ...ownOptions, ...fileOptions(FILE_NAMES)]),
	...displayFor(
		operationsOf('confirm'),
		notice(
			'placeNotice',
			`Put this node last, after your data is saved. Runs in the editor confirm changes too. ${WITH_LOOPS}`,
		),
	),
];
