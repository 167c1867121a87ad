/** Tests errors, hints and log lines about invalid options and misspelt fields. */
import { describe, expect, test } from 'vitest';
import { companiesNamed } from '../../../n8n/service.mts';
import { hintsOf, jsonOf, type NodeRun } from '../../harness/support.mts';
import { enrich, useEnrich } from './enriching.mts';

const items = companiesNamed('company', 50);
const { bench, run } = useEnrich(items);

describe('an invalid option of the first item', () => {
	const first = (wrong: string, right: string) => `={{ $itemIndex === 0 ? ${wrong} : ${right} }}`;

	test.each([
		['maxConcurrent', first('"many"', '1'), "'Parallel Requests' must be a whole number"],
		[
			'maxConcurrent',
			first('undefined', '1'),
			"The expression of 'Parallel Requests' returns nothing",
		],
		['maxConcurrent', first('$json.a.b.c', '1'), ''],
		['fullResponse', first('"ja"', 'false'), "'Full API Response' must be true or false"],
	])('rejects only the item with the invalid option: %s = %s', async (option, value, says) => {
		const some = items.slice(0, 6);
		bench.sandbox.setLatency(20);
		const options = { [option]: value };
		const result = await run(options, { items: some, onError: 'continueRegularOutput' });
		const [refused, ...others] = jsonOf(result);
		expect(refused.error).toEqual(expect.stringContaining(says));
		expect(others).toMatchObject(some.slice(1).map(({ domain }) => ({ domain })));
		expect(bench.sandbox.requests).toHaveLength(5);
		const most = Math.max(...bench.sandbox.requests.map(({ inFlight }) => inFlight));
		if (option === 'maxConcurrent') expect(most).toBe(1);
	});
});

describe('Output Fields that no result has', () => {
	const output = (outputFields: string) => ({ outputFields });

	test('returns the whole result if it has none of the Output Fields, and names these fields in a hint', async () => {
		const whole = jsonOf(await run({}, { items: items.slice(0, 2) }));
		const result = await run(output('Domain, umsatz'), { items: items.slice(0, 2) });
		const withoutDate = (all: object[]) => all.map((one) => ({ ...one, enriched_at: 0 }));
		expect(withoutDate(jsonOf(result))).toEqual(withoutDate(whole));
		expect(hintsOf(result)).toEqual([
			'Sent 2 calls (may be billed).',
			'No record has the fields "Domain", "umsatz". Names are case-sensitive.',
		]);
	});

	test('returns the Output Fields that the result has, and names the missing fields in a hint', async () => {
		const result = await run(output('domain, umsatz'), { items: items.slice(0, 1) });
		expect(jsonOf(result)).toEqual([{ domain: items[0].domain }]);
		expect(hintsOf(result)[1]).toBe('No record has the field "umsatz". Names are case-sensitive.');
	});
});

describe('warnings in the log and in hints', () => {
	const mode = 'trigger' as const;
	const some = items.slice(0, 2).map((item) => ({ ...item, vat_id: ' ', city: null }));
	const warnings = ({ logs }: NodeRun) =>
		logs.filter(({ level }) => level === 'warn').map(({ message }) => message);
	const field = (name: string) => ({ name, value: `={{ $json.${name} }}` });
	const values = ['domain', 'vatId', 'name'].map(field);

	test.each<[string, object, object, string]>([
		[
			'Preview Only in an unattended run',
			{ previewOnly: true },
			{ items: items.slice(0, 2), mode },
			"Nothing was sent: turn off 'Preview Only' in this node to send the calls.",
		],
		[
			'Output Fields that no record has',
			{ options: { outputFields: 'umsatz, domain' } },
			{ items: items.slice(0, 2), mode },
			'No record has the field "umsatz". Names are case-sensitive.',
		],
		[
			'input fields that are empty in all items',
			{},
			{ items: some },
			'No item has a value for the fields "vat_id", "city". Check the data to send.',
		],
		[
			'misspelt fields in Fields to Send',
			{ dataToSend: 'defineBelow', fields: { values } },
			{ items: [{ ...items[0], name: 'a' }, items[1]] },
			'No item has a value for the field "vatId". Check the data to send.',
		],
	])('warns in the log and in a hint about %s', async (_name, parameters, more, message) => {
		const result = await bench.run({ ...enrich, ...parameters }, more);
		expect(result.error).toBeUndefined();
		expect(warnings(result)).toEqual([`Workspace Data: ${message}`]);
		expect(hintsOf(result)).toContain(message);
	});

	test('does not warn about a preview that a user starts in the editor', async () => {
		const result = await run({}, {}, { previewOnly: true });
		expect([...warnings(result), ...hintsOf(result)]).toEqual([]);
	});

	test('does not warn about empty fields if one item has a value for them, or if nothing was sent', async () => {
		const one = await run({}, { items: [{ ...some[0], vat_id: 'a', city: 'b' }, some[1]] });
		const none = await run({ maxCalls: 0 }, { items: some, onError: 'continueRegularOutput' });
		expect([...warnings(one), ...warnings(none)]).toEqual([]);
	});
});
