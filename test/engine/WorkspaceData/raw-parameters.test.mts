/**
 * One rule for every parameter and option of both nodes, made from their descriptions. An expression that returns
 * nothing, an expression written as fixed text, and an added option that was left empty are errors before any request.
 * Such a value never counts as not set.
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

/** A parameter or option by its label, with all values that must be set for it to have an effect. */
interface Place {
	label: string;
	values: Values;
}

const NOTHING = ['={{ undefined }}', '={{ null }}'];
/** A parameter that n8n itself requires, with its own error. */
const REQUIRED = 'objectType';

/** Returns the values that show a property: parameters of the node (`root`), and values beside it (`beside`). */
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

/** Returns every parameter and option of an operation, each with this value. */
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
		// With another output, a checkpoint is refused before it is read.
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
			// Rows have their own unit tests, because n8n reads an expression there as no rows.
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

/** n8n itself requires Start Date if it cannot resolve Start From. */
const isRequired = ({ values }: Place): boolean => REQUIRED in values || 'startFrom' in values;
/** Checks whether an option takes one value. Fields may be empty, and so may members of a group. */
const hasOneValue = ({ label, values }: Place): boolean =>
	Object.values(Object(values.options) as Values)[0] === '' && label !== 'Fields';
const withRequest = everyOperation.filter(({ requests }) => requests.v2 !== undefined);

describe.each(withRequest)('$title', ({ chosen, parameters }) => {
	test.each(NOTHING)(
		'refuses every parameter and option with the expression %s',
		async (expression) => {
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
		},
	);

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

	test('refuses every option that was left empty', async () => {
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

test.each(NOTHING)(
	'refuses every parameter and option of the trigger with the expression %s',
	async (expression) => {
		const places = placesOf(triggerProperties, {}, expression);
		expect(places.length, 'places').toBeGreaterThan(5);
		for (const place of places) {
			const poller = await trigger(place.values);
			await expect(poller.poll(), place.label).rejects.toThrow(
				isRequired(place) ? '' : `The expression of '${place.label}' returns nothing`,
			);
			expect(bench.sandbox.requests, place.label).toEqual([]);
		}
	},
);

test('accepts an expression that returns empty text if the option may be empty', async () => {
	const options = { pagination: { values: { startCursor: '={{ "" }}' } } };
	await bench.succeed({ resource: 'company', operation: 'getAll', options });
});
