import { DateTime } from 'luxon';
import type { IDataObject, INodeExecutionData, Logger, NodeHint } from 'n8n-workflow';

import { timesOf } from '../../shared/lists/dates';
import type { CursorSort, Page } from '../../shared/lists/page';
import { aboutLongNumbers } from '../../shared/panel/record-fields';
import { counted, formatNumber, formatTime } from '../../shared/errors/words';
import { isCancelled } from '../../shared/client/failures';
import { CHOSEN, idOf, INPUT_ITEMS } from '../operation-row';
import { operations } from '../operations';
import type { NodeRun } from '../node-run';
import type { Task } from '../task';
import type { ListParameters } from './list-parameters';

const LOG_EVERY_MS = 30_000;

const lists = operations.filter(({ hintsAtOnce }) => hintsAtOnce).map(idOf);

/** Hints that the editor shows before the node runs with several input items. */
export const listHints: NodeHint[] = [
	{
		message:
			'This node reads the list once for each input item. To read it only once, turn on <b>Execute Once</b> in the settings of this node.',
		type: 'info',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: `={{ ${INPUT_ITEMS} > 1 && ${JSON.stringify(lists)}.includes(${CHOSEN}) }}`,
	},
];

/**
 * Warns that a list stopped early, after `records` records, because items and files do not show this. Returns the given
 * error.
 */
export function hintOnBreakOff(
	{ nodeRun, itemIndex }: Pick<Task, 'nodeRun' | 'itemIndex'>,
	error: unknown,
	records: number,
): unknown {
	const { context, items } = nodeRun;
	if (records === 0 || isCancelled(error) || !context.continueOnFail()) return error;
	const hasSeveral = items.length > 1;
	const isBranch = context.getNode().onError === 'continueErrorOutput';
	const place = isBranch ? 'the error branch' : `${hasSeveral ? 'its' : 'the'} last item`;
	const list = hasSeveral ? `The list of [item ${itemIndex}]` : 'The list';
	nodeRun.warn(`${list} stopped after ${counted(records, 'record')}; ${place} shows the reason`);
	return error;
}

/** Warns if a list ended with fewer records than the total on an earlier page. */
export function warnOfMissing(
	{ nodeRun, itemIndex }: Pick<Task, 'nodeRun' | 'itemIndex'>,
	{ recordsMissing = 0, recordsRead }: Page,
): void {
	if (recordsMissing === 0) return;
	const list = nodeRun.items.length > 1 ? `The list of [item ${itemIndex}]` : 'The list';
	const total = formatNumber(recordsRead + recordsMissing);
	nodeRun.warn(
		`${list} ended after ${counted(recordsRead, 'record')}, but an earlier page had a total of ${total}: ${formatNumber(recordsMissing)} may be missing, or were deleted during the run`,
	);
}

/** Shows a hint if output items contain integers above 2^53, because JavaScript cannot hold all their digits. */
export function hintOnLongNumbers(
	nodeRun: NodeRun,
	records: Parameters<typeof aboutLongNumbers>[0],
): void {
	const fix = 'set <b>Output As</b> to NDJSON Files or CSV Files';
	nodeRun.hintLast(() => aboutLongNumbers(records, fix));
}

/** Shows a hint if Changed After is in the future, or if Changed Before is a day without a time. */
export function hintOnDates(
	{ nodeRun, context, session, options }: Task,
	{ paging }: ListParameters,
): void {
	const { after = -Infinity, before } = ('range' in paging && paging.range) || {};
	const zone = context.getTimezone();
	if (after > session.timeOfDay()) {
		const message = `<b>Changed After</b> is in the future: ${inZone(after, zone)}. No record can be later.`;
		nodeRun.hintOnce('future', message);
	}
	// Warn only about a typed or picked day, which may mean the whole day. An expression such as $today means midnight.
	const isDay = /^\s*\d{4}-?\d\d-?\d\d(T00:00(:00)?)?\s*$/.test(String(options.changedBefore));
	if (before === undefined || !isDay) return;
	const message = `<b>Changed Before</b> ends at ${inZone(before, zone)}, so no record of that day is returned. For the whole day, set the time to 23:59:59.`;
	nodeRun.hintOnce('midnight', message);
}

/** Returns a moment in ms as text, for example "24 Nov 2026, 16:05 (Europe/Berlin)". */
function inZone(ms: number, zone: string): string {
	return DateTime.fromMillis(ms, { zone, locale: 'en' }).toFormat(`d MMM yyyy, HH:mm '(${zone})'`);
}

/** If Changed After leaves out all records, shows a hint with the newest date on the last page. */
export function hintOnNothingFound(
	{ nodeRun, context, session }: Task,
	{ paging }: ListParameters,
	{ recordsRead, text }: Page,
): void {
	const { after = Infinity } = ('range' in paging && paging.range) || {};
	// Show no hint without Changed After, or for a date in the future, which has its own hint.
	if (after > session.timeOfDay()) return;
	const { data } = JSON.parse(text) as Page['envelope'];
	const newest = Math.max(
		...timesOf(data.items, paging.sort as CursorSort).map((time) => time ?? -Infinity),
	);
	const date =
		newest === -Infinity ? '' : `, the newest from ${inZone(newest, context.getTimezone())}`;
	const message = `<b>Changed After</b> leaves out all records: ${formatNumber(recordsRead)} read${date}.`;
	nodeRun.hintOnce('nothing found', message);
}

/**
 * Shows a hint that says how many records and files there are, and how to continue after Limit. Errors have their own
 * hint.
 */
export function hintOnFiles(nodeRun: NodeRun, output: readonly INodeExecutionData[]): void {
	if (output.length === 0 || output.some(({ binary }) => binary === undefined)) return;
	const counts = `${counted(recordsIn(output), 'record')} in ${counted(output.length, 'file')}.`;
	const [last] = output.slice(-1);
	nodeRun.hint(nodeRun.items.length === 1 ? counts + waysOn(last.json) : counts);
}

/** Returns the advice to continue a list that Limit ended, from the facts of its last file. */
function waysOn({ nextCursor, recordsLeftOut }: IDataObject): string {
	if (Number(recordsLeftOut) > 0)
		return ' Limit cut the last page, so no cursor continues after these files. Set <b>Limit</b> to a multiple of <b>Page Size</b>.';
	if (!nextCursor) return '';
	return ' More records may follow: continue with nextCursor and pageSize of the last file.';
}

/** Returns the number of records in output items, or in the files of the items. */
export function recordsIn(output: readonly INodeExecutionData[]): number {
	return output.reduce((sum, { json, binary }) => sum + (binary ? Number(json.records) : 1), 0);
}

/** Returns a function to call for every page. It logs the progress of a long list every 30 seconds. */
export function logProgress(
	{ logger }: { logger: Logger },
	now: () => number,
): (page: Pick<Page, 'recordsRead' | 'total'>) => void {
	const beganMs = now();
	let loggedMs = beganMs;
	return ({ recordsRead, total = 0 }) => {
		const nowMs = now();
		if (nowMs - loggedMs < LOG_EVERY_MS) return;
		loggedMs = nowMs;
		const perSecond = (recordsRead * 1_000) / (nowMs - beganMs);
		const rate = `${formatNumber(Math.round(perSecond))} per second`;
		const timeLeft = formatTime(((total - recordsRead) * 1_000) / perSecond);
		const isEstimable = total > recordsRead && recordsRead > 0;
		const line = isEstimable
			? `${formatNumber(recordsRead)} of ${counted(total, 'record')} read, ${rate}, about ${timeLeft} left`
			: `${counted(recordsRead, 'record')} read, ${rate}`;
		logger.info(`Workspace Data: ${line}`);
	};
}
