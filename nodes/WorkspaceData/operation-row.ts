import type { HttpMethod, Repeat } from '../shared/client/api';
import type { ApiVersion } from '../shared/client/credential';

/** Method and path of an operation for one API version. `{orderId}` in a path is the parameter of that name. */
export type Endpoint = { method: HttpMethod; path: string };

/** A text that the user enters for each item. `name` is its name in workflows, and in the path (as `{name}`) or the body. */
export type OwnParameter = Record<'name' | 'displayName' | 'description' | 'placeholder', string> &
	// With `ifEmpty` it is required: what an error advises where it is empty.
	({ goesInto: 'path'; ifEmpty: string } | { goesInto: 'body'; ifEmpty?: string });

/** All that the node knows of an operation: its panel, checks, requests, texts and README's table are made of it. */
export interface Operation {
	/** Stored in workflows; its title is made from it, for example "Price List" from `priceList`. */
	resource: string;
	/** Stored in workflows. The same word for the same work of any resource. */
	operation: string;
	name: string;
	/** In the node's list of actions, and all that an AI agent reads of it. In sentence case and without articles. */
	action: string;
	/** Under the name in the panel, where the same is added to it. */
	description: string;
	/** What people type to find it among all nodes of n8n, besides its name. */
	aliases: readonly string[];
	/** What to call for each kind of credential; a version that is missing cannot do it. Empty where it calls nothing. */
	endpoints: Partial<Record<ApiVersion, Endpoint>>;
	/** A `call` does something for each input item, several at once; `confirm` sends no request and returns its input. */
	kind: 'list' | 'changes' | 'call' | 'read' | 'confirm';
	/** Calls only: the user's fields are its body. */
	sendsData?: true;
	/** Data only: a field that a person might send, and its value. */
	exampleField?: readonly [name: string, value: string];
	/** Data only: what to know of the fields to send. */
	fieldsNotice?: string;
	/** Calls only: the field for the result where the input's fields are kept; the name of the operation where it is left out. */
	resultField?: string;
	/** Lists only: the node itself says that it runs once for each input item. n8n says so for what is named `getAll`. */
	hintsAtOnce?: true;
	/** Lists and changes only: the user says which records, sent as `object_type`. */
	choosesObjectType?: true;
	/** Calls only: what the user enters besides. */
	parameters?: readonly OwnParameter[];
	/** Body fields that are always the same; data that says otherwise is refused. Of a list, the object type. */
	fixedFields?: Readonly<Record<string, string>>;
	/** Data only: it may be called without any field. */
	mayBeEmpty?: true;
	/** Data only: the methods that the user may choose from, where the service's specification does not say. */
	methods?: readonly HttpMethod[];
	/** `one` item from an answer, or one for each element of its `data.items`. */
	result: 'one' | 'items';
	/** What happens when a request arrives twice; decides which failures are tried again. Nothing is the default. */
	repeat: Repeat;
	/** For one attempt, unless the user says otherwise. */
	timeoutMs: number;
	/** The permission it needs for each credential, in words that complete "This operation needs …". */
	permission: Partial<Record<ApiVersion, string>>;
}

/** Where the user has entered what a call sends, for example "'Order ID' and the fields to send". */
export function enteredIn({ parameters = [], sendsData }: Operation): string {
	const names = parameters.map(({ displayName }) => `'${displayName}'`);
	return [...names, ...(sendsData ? ['the fields to send'] : [])].join(' and ');
}

/** The operation as a person calls it, for example "Company: Get Many". */
export function titleOf({ resource, name }: Operation): string {
	return `${titleOfResource(resource)}: ${name}`;
}

/** A resource as users see it: "Price List" for `priceList`. */
export function titleOfResource(resource: string): string {
	const words = resource.replace(/[A-Z]/g, (letter) => ` ${letter}`);
	return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The operation as one text, by the values that workflows store, for example "company:getAll". */
export function idOf({ resource, operation }: Operation): string {
	return `${resource}:${operation}`;
}

/** The same of the chosen operation, for expressions of the node's description. */
export const CHOSEN = '$parameter.resource + ":" + $parameter.operation';

/** How many input items a node has. The editor asks before there is any input too, where `$input` throws and n8n warns. */
export const INPUT_ITEMS =
	'(() => { try { return $input.all().length; } catch (error) { return 0; } })()';

/** What the action and the description end with: everybody should know it before it is done, a model too. */
export const WARNING: Record<Repeat, string> = {
	safe: '',
	acts: ' (cannot be undone)',
	billed: ' (may be billed)',
};
