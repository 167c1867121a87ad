import type { HttpMethod, Repeat } from '../shared/client/api';
import type { ApiVersion } from '../shared/client/credential';

/** Method and path of an operation for one API version. `{orderId}` in a path stands for the parameter of that name. */
export type Endpoint = { method: HttpMethod; path: string };

/**
 * A text that the user enters for each item. `name` is its name in workflows, in the path (`{name}`) or in the body.
 */
export type OwnParameter = Record<'name' | 'displayName' | 'description' | 'placeholder', string> &
	// `ifEmpty` makes the parameter required. It is the advice of the error for an empty value.
	({ goesInto: 'path'; ifEmpty: string } | { goesInto: 'body'; ifEmpty?: string });

/** Everything that the node knows of an operation: source of its panel, checks, requests, texts and docs. */
export interface Operation {
	/** Stored in workflows. The title is made from it: "Price List" from `priceList`. */
	resource: string;
	/** Stored in workflows. Use the same word for the same action on every resource. */
	operation: string;
	name: string;
	/** Text in the list of actions, in sentence case, without articles. AI agents read no other text. */
	action: string;
	/** Text under the name in the panel. */
	description: string;
	/** Further search words for n8n's list of nodes. */
	aliases: readonly string[];
	/** Endpoint for each kind of credential. A kind without an endpoint cannot run the operation. */
	endpoints: Partial<Record<ApiVersion, Endpoint>>;
	/** `call` runs once for each input item, several at once. `confirm` sends no request and returns its input. */
	kind: 'list' | 'changes' | 'call' | 'read' | 'confirm';
	/** Calls only: the user's fields are the request body. */
	sendsData?: true;
	/** With `sendsData` only: an example of a field and its value. */
	exampleField?: readonly [name: string, value: string];
	/** With `sendsData` only: a notice about the fields to send. */
	fieldsNotice?: string;
	/** Calls only: name of the result field if the input fields are kept. Defaults to the name of the operation. */
	resultField?: string;
	/** Lists only: show a hint that the node runs once per item. n8n shows it for `getAll` itself. */
	hintsAtOnce?: true;
	/** Lists and changes only: the user chooses the object type, which is sent as `object_type`. */
	choosesObjectType?: true;
	/** Calls only: parameters that the user enters. */
	parameters?: readonly OwnParameter[];
	/** Body fields with a fixed value. Other values in the user's data are an error. For lists, the object type. */
	fixedFields?: Readonly<Record<string, string>>;
	/** With `sendsData` only: the call may have no fields. */
	mayBeEmpty?: true;
	/** With `sendsData` only: methods to choose from, if the specification of the service does not name the method. */
	methods?: readonly HttpMethod[];
	/** `one` returns one item for a response, `items` one for each element of its `data.items`. */
	result: 'one' | 'items';
	/** Effect of sending a request twice. It decides which failures are retried. */
	repeat: Repeat;
	/** Default timeout of one attempt, in ms. */
	timeoutMs: number;
	/** Required permission for each kind of credential, in words that complete "This operation needs …". */
	permission: Partial<Record<ApiVersion, string>>;
}

/** Returns where the user entered the data of a call, for example "'Order ID' and the fields to send". */
export function enteredIn({ parameters = [], sendsData }: Operation): string {
	const names = parameters.map(({ displayName }) => `'${displayName}'`);
	return [...names, ...(sendsData ? ['the fields to send'] : [])].join(' and ');
}

/** Returns the title of an operation, for example "Company: Get Many". */
export function titleOf({ resource, name }: Operation): string {
	return `${titleOfResource(resource)}: ${name}`;
}

/** Returns the title of a resource: "Price List" for `priceList`. */
export function titleOfResource(resource: string): string {
	const words = resource.replace(/[A-Z]/g, (letter) => ` ${letter}`);
	return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns an operation as one text of the values that workflows store, for example "company:getAll". */
export function idOf({ resource, operation }: Operation): string {
	return `${resource}:${operation}`;
}

/** The `idOf` of the chosen operation, for expressions in the description of the node. */
export const CHOSEN = '$parameter.resource + ":" + $parameter.operation';

/** Expression for the number of input items. In the editor, `$input` throws an error if there is no input yet. */
export const INPUT_ITEMS =
	'(() => { try { return $input.all().length; } catch (error) { return 0; } })()';

/** Ending of an action and a description. It warns users and models before they run the operation. */
export const WARNING: Record<Repeat, string> = {
	safe: '',
	acts: ' (cannot be undone)',
	billed: ' (may be billed)',
};
