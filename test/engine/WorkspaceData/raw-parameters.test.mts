/**
 * One rule for every parameter and option of both nodes, made from their descriptions: one that is there, and whose
 * expression gives nothing, or is text because nobody switched it to Expression, is an error that names it, before any
 * request; so is an option that was added and left empty. None of them counts as not set.
 */
import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { properties } from '../../../nodes/WorkspaceData/node-properties.ts';
import { properties as triggerProperties } from '../../../nodes/WorkspaceDataTrigger/trigger-properties.ts';
import { shortName } from '../../../nodes/shared/panel/parameter-builders.ts';
import { everyOperation } from '../../samples.mts';
import { useSandbox } from '../harness/support.mts';
import { companyTrigger } from '../harness/trigger-poller.mts';

const bench = useSandbox({ companies: 5, orders: 5, items: 5, deals: 5 });
const trigger = companyTrigger(bench);

type Values = Record<string, unknown>;

/** A parameter or option by its label, with all that has to be set for it to count. */
interface Place {
	label: string;
	values: Values;
}

const NOTHING = ['={{ undefined }}', '={{ null }}'];
/** What n8n itself stops at with words of its own. */
const REQUIRED = 'objectType';

/** What has to be chosen so that something shows: of the parameters, and of the options beside it. */
function shownWith({ displayOptions }: INodeProperties): { root: Values; beside: Values } {
	const root: Values = {};
	const beside: Values = {};
	const show = (displayOptions?.show ?? {}) as Record<string, unknown[]>;
	for (const [key, [value]] of Object.entries(show)) {
		if (key.startsWith('/')) root[key.slice(1)] = value;
		else if (key !== '@tool') beside[key] = value;
	}
	if (displayOptions?.hide?.returnAll !== undefined) beside.returnAll = false;
	return { root, beside };
}

/** Every parameter and option of an operation, each with such a value. */
function placesOf(
	all: readonly INodeProperties[],
	{ resource, operation }: { resource?: string; operation?: string },
	value: string,
): Place[] {
	const isOf = ({ displayOptions: { show = {} } = {}, name }: INodeProperties): boolean =>
		!['resource', 'operation'].includes(name) &&
		(show.resource === undefined || show.resource.includes(resource as string)) &&
		(show.operation === undefined || show.operation.includes(operation as string)) &&
		!show['@tool']?.includes(true);
	const places = new Map<string, Place>();
	for (const property of all.filter(isOf)) {
		const { name, displayName, type } = property;
		const label = shortName(displayName);
		if (type === 'notice') continue;
		// Without another output, it is refused before it is read.
		const output = name === 'checkpoint' ? { outputAs: 'batch' } : {};
		const { beside: needed } = shownWith(property);
		if (name !== 'options') {
			places.set(name, { label, values: { ...needed, ...output, [name]: value } });
			continue;
		}
		for (const option of property.options as INodeProperties[]) {
			const { root } = shownWith(option);
			const place = (label: string, of: unknown): Place => ({
				...{ label, values: { ...needed, ...root, options: { [option.name]: of } } },
			});
			const [inside] = (option.options ?? []) as INodePropertyCollection[];
			if (option.type !== 'fixedCollection')
				places.set(`options.${option.name}`, place(shortName(option.displayName), value));
			// Rows, which n8n takes for none where they are an expression, have unit tests of their own.
			else if (option.typeOptions?.multipleValues !== true)
				for (const member of inside.values)
					places.set(
						member.name,
						place(shortName(member.displayName), { values: { [member.name]: value } }),
					);
		}
	}
	return [...places.values()];
}

/** n8n itself wants Start Date where it cannot know what Start From is. */
const isRequired = ({ values }: Place): boolean => REQUIRED in values || 'startFrom' in values;
/** An option that takes one value. Of Fields, none chosen are all; what is in a group may be empty. */
const hasOneValue = ({ label, values }: Place): boolean =>
	Object.values(Object(values.options) as Values)[0] === '' && label !== 'Fields';
const withRequest = everyOperation.filter(({ requests }) => requests.v2 !== undefined);

describe.each(withRequest)('$title', ({ chosen, parameters }) => {
	test.each(NOTHING)('every parameter and option at %s', async (expression) => {
		const places = placesOf(properties, chosen, expression);
		expect(places.length, 'places').toBeGreaterThan(3);
		for (const place of places) {
			const options = { ...(parameters.options as Values), ...(place.values.options as Values) };
			const run = await bench.run({ ...parameters, ...place.values, options });
			expect(run.error?.message, place.label).toContain(
				isRequired(place) ? '' : `The expression of '${place.label}' returns nothing`,
			);
			expect(run.status, place.label).toBe('error');
			expect(bench.sandbox.requests, place.label).toEqual([]);
		}
	});

	test.each(['{{ $json.domain }}', '{{ ["a", "b"] }}'])(
		'refuses %s as text of any parameter or option',
		async (text) => {
			for (const { label, values } of placesOf(properties, chosen, text)) {
				const options = { ...(parameters.options as Values), ...(values.options as Values) };
				const run = await bench.run({ ...parameters, ...values, options });
				expect(run.error?.message, label).toContain(`'${label}' holds an expression as text`);
				expect(bench.sandbox.requests, label).toEqual([]);
			}
		},
	);

	test('every option left empty', async () => {
		const places = placesOf(properties, chosen, '').filter(hasOneValue);
		for (const { label, values } of places) {
			const run = await bench.run({ ...parameters, ...values });
			expect(run.error?.message).toContain(`'${label}'`);
			expect(`${run.error?.message} ${run.error?.description}`).toContain('empty');
		}
		expect(places.length, 'places').toBeGreaterThan(0);
		expect(bench.sandbox.requests).toEqual([]);
	});
});

test.each(NOTHING)('the trigger: every parameter and option at %s', async (expression) => {
	const places = placesOf(triggerProperties, {}, expression);
	expect(places.length, 'places').toBeGreaterThan(5);
	for (const place of places) {
		const poller = await trigger(place.values);
		await expect(poller.poll(), place.label).rejects.toThrow(
			isRequired(place) ? '' : `The expression of '${place.label}' returns nothing`,
		);
		expect(bench.sandbox.requests, place.label).toEqual([]);
	}
});

test('text of an expression that is empty is a value: what may be empty stays as it is', async () => {
	const options = { pagination: { values: { startCursor: '={{ "" }}' } } };
	await bench.succeed({ resource: 'company', operation: 'getAll', options });
});
