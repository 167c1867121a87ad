import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

type Rest = Partial<Omit<INodeProperties, 'displayName' | 'name' | 'type' | 'options'>>;
/** Choices of a parameter, by the value that workflows store: display name, description and display options. */
export type Choices<T extends string> = Partial<Record<T, Shown>>;
type Shown = readonly [name: string, description?: string, where?: Where];
/** A parameter or option with a fixed set of values. `readChoice` reads its value. */
export interface Choice<T extends string> extends INodeProperties {
	default: T;
	options: Array<INodePropertyOptions & { value: T }>;
}
type Where = INodeProperties['displayOptions'];

/** Display options that hide a parameter or a choice if the node is a tool of an AI agent. */
export const NOT_IN_TOOLS: Where = { hide: { '@tool': [true] } };

/** Returns a text parameter. Its default is empty unless `rest` has a default. */
export function text(displayName: string, name: string, rest: Rest): INodeProperties {
	return { displayName, name, type: 'string', default: '', ...rest };
}

/** Returns a date and time parameter. Without a default, the node can report an option that the user left empty. */
export function date(displayName: string, name: string, rest: Rest): INodeProperties {
	return { displayName, name, type: 'dateTime', default: '', ...rest };
}

/** Returns a parameter for a whole number from `minValue` to `maxValue`. */
export function number(
	displayName: string,
	name: string,
	given: Rest & { minValue: number; maxValue?: number; default: number },
): INodeProperties {
	const { minValue, maxValue, default: usual, ...rest } = given;
	const typeOptions = { minValue, maxValue };
	return { displayName, name, type: 'number', typeOptions, default: usual, ...rest };
}

/** Returns a yes/no option. Its default is on, so that the option is on as soon as the user adds it. */
export function yesOrNo(displayName: string, name: string, rest: Rest): INodeProperties {
	return { displayName, name, type: 'boolean', default: true, ...rest };
}

/** Returns a parameter with several choices, sorted by name. */
export function choice<T extends string>(
	displayName: string,
	name: string,
	{ choices, default: usual, ...rest }: Rest & { choices: Choices<T>; default: NoInfer<T> },
): Choice<T> {
	const entries = Object.entries(choices) as Array<[T, Shown]>;
	const options = entries.map(([value, [label, description, displayOptions]]) => {
		return { name: label, value, description, displayOptions };
	});
	options.sort(byName);
	return { displayName, name, type: 'options', options, default: usual, ...rest };
}

const DOCS = 'https://n8n-nodes-workspace-data.example/blob/HEAD/docs';

/** Returns a link for a notice. It opens in a new tab. */
export function link(page: string, words: string): string {
	return `<a href="${DOCS}/${page}" target="_blank">${words}</a>`;
}

/** Returns a notice, which is text in the panel that has no value. */
export function notice(name: string, displayName: string, rest: Rest = {}): INodeProperties {
	return { displayName, name, type: 'notice', default: '', ...rest };
}

/** Returns a group of options. n8n stores all defaults, so a default must have the same effect as a missing option. */
export function group(
	displayName: string,
	name: string,
	members: readonly INodeProperties[],
): INodeProperties {
	const values = members.toSorted(byLabel);
	const usual = Object.fromEntries(values.map((member) => [member.name, member.default]));
	return {
		displayName,
		name,
		type: 'fixedCollection',
		// With an empty default, n8n's panel would show no members of the group.
		default: { values: usual },
		options: [{ displayName: shortName(displayName), name: 'values', values }],
	};
}

/** Returns a display name without the search words in parentheses, for use in texts. */
export function shortName(displayName: string): string {
	return displayName.replace(/ \(.*/, '');
}

/** Returns the parameter Options, with its options sorted by display name. */
export function optionsProperty(options: readonly INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: options.toSorted(byLabel),
	};
}

function byLabel(one: INodeProperties, other: INodeProperties): number {
	return one.displayName.localeCompare(other.displayName);
}

/** Compares choices by their names, for sorting. */
export function byName(one: INodePropertyOptions, other: INodePropertyOptions): number {
	return one.name.localeCompare(other.name);
}
