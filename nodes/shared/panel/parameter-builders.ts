import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

type Rest = Partial<Omit<INodeProperties, 'displayName' | 'name' | 'type' | 'options'>>;
/** By the value that workflows store: the name that people see, what it means, and where it is offered. */
export type Choices<T extends string> = Partial<Record<T, Shown>>;
type Shown = readonly [name: string, description?: string, where?: Where];
/** A parameter or option that has one of these values; `readChoice` reads it. */
export interface Choice<T extends string> extends INodeProperties {
	default: T;
	options: Array<INodePropertyOptions & { value: T }>;
}
type Where = INodeProperties['displayOptions'];

/** Where the node is no tool of an AI agent: each call of a tool is a run of its own. */
export const NOT_IN_TOOLS: Where = { hide: { '@tool': [true] } };

/** Text, empty unless `rest` has a default. */
export function text(displayName: string, name: string, rest: Rest): INodeProperties {
	return { displayName, name, type: 'string', default: '', ...rest };
}

/** A date and time, without a default: where it is added and left empty, the node says so. */
export function date(displayName: string, name: string, rest: Rest): INodeProperties {
	return { displayName, name, type: 'dateTime', default: '', ...rest };
}

/** A whole number of at least `minValue` and at most `maxValue`. */
export function number(
	displayName: string,
	name: string,
	given: Rest & { minValue: number; maxValue?: number; default: number },
): INodeProperties {
	const { minValue, maxValue, default: usual, ...rest } = given;
	const typeOptions = { minValue, maxValue };
	return { displayName, name, type: 'number', typeOptions, default: usual, ...rest };
}

/** A yes/no option: adding it turns it on. */
export function yesOrNo(displayName: string, name: string, rest: Rest): INodeProperties {
	return { displayName, name, type: 'boolean', default: true, ...rest };
}

/** One of several choices, which n8n shows in the order of their names. */
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

/** Pages of the docs, as GitHub shows them. */
export const DOCS = 'https://n8n-nodes-workspace-data.example/blob/HEAD/docs';

/** A link of a notice, which opens beside the editor. */
export function link(page: string, words: string): string {
	return `<a href="${DOCS}/${page}" target="_blank">${words}</a>`;
}

/** What the panel says besides its parameters. */
export function notice(name: string, displayName: string, rest: Rest = {}): INodeProperties {
	return { displayName, name, type: 'notice', default: '', ...rest };
}

/** A few options behind one entry of the collection Options. n8n fills in all of them, so no default changes anything. */
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
		// n8n's panel shows nothing of a group for an empty default.
		default: { values: usual },
		options: [{ displayName: shortName(displayName), name: 'values', values }],
	};
}

/** A name as texts have it: without the words in brackets that people look for. */
export function shortName(displayName: string): string {
	return displayName.replace(/ \(.*/, '');
}

/** The collection Options, in the order of names. */
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

/** For choices that n8n shows in a list. */
export function byName(one: INodePropertyOptions, other: INodePropertyOptions): number {
	return one.name.localeCompare(other.name);
}
