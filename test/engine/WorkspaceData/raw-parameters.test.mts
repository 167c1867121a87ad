/**
 * Tests one rule for every parameter and option of both nodes, as listed in the node descriptions. The nodes reject
 * three kinds of values before any request: an expression that returns nothing, an expression that was entered as fixed
 * text, and an added option that was left empty. The nodes never treat such a value as "not set".
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

/** Parameter or option to test. `values` sets this parameter, and all other parameters that it needs to take effect. */
interface Place {
	label: string;
	values: Values;
}

const NOTHING = ['={{ undefined }}', '={{ null }}'];
/** Parameter that n8n itself requires. Without a value, the run fails with an error of n8n. */
const REQUIRED = 'objectType';

/**
 * Returns the values with which the panel shows a property. `root` contains parameters of the node. `beside` contains
 * values at the same level as the property.
 */
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

/** Returns every parameter and option of an operation, each set to `value`. */
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
		// Set "Output As" to "Batch". With "Items", the node would fail before it reads the checkpoint.
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
			// Skip options with rows, which unit tests check. If such an option is an expression, n8n reads it as no
			// rows.
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

/**
 * Checks whether n8n itself reports the error, for a required parameter or for Start From. If n8n cannot resolve Start
 * From, it requires a Start Date.
 */
const isRequired = ({ values }: Place): boolean => REQUIRED in values || 'startFrom' in values;
/** Checks whether an empty value of an option is an error. Fields and the members of a group can be empty. */
const hasOneValue = ({ label, values }: Place): boolean =>
	Object.values(Object(values.options) as Values)[0] === '' && label !== 'Fields';
const withRequest = everyOperation.filter(({ requests }) => requests.v2 !== undefined);

describe.each(withRequest)('$title', ({ chosen, parameters }) => {
	test.each(NOTHING)(
		'rejects the expression %s in every parameter and option',
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
		'rejects the fixed text %s in every parameter and option',
		async (text) => {
			for (const { label, values } of placesOf(properties, chosen, text)) {
				const options = { ...(parameters.options as Values), ...(values.options as Values) };
				const run = await bench.run({ ...parameters, ...values, options });
				expect(run.error?.message, label).toContain(`'${label}' holds an expression as text`);
				expect(bench.sandbox.requests, label).toEqual([]);
			}
		},
	);

	test('rejects every option that the user added and left empty', async () => {
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
	'rejects the expression %s in every parameter and option of the trigger',
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

test('accepts an expression that returns an empty string for an option that can be empty', async () => {
	const options = { pagination: { values: { startCursor: '={{ "" }}' } } };
	await bench.succeed({ resource: 'company', operation: 'getAll', options });
});
