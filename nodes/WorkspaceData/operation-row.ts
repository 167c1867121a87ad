import type { HttpMethod, Repeat } from '../shared/client/api';
import type { ApiVersion } from '../shared/client/credential';

/** Method and path for one API version. The value of the parameter `orderId` replaces `{orderId}` in a path. */
export type Endpoint = { method: HttpMethod; path: string };

/** A text parameter that only one operation has. `name` is also its name in the path (`{name}`) or in the body. */
export type OwnParameter = Record<'name' | 'displayName' | 'description' | 'placeholder', string> &
	// `ifEmpty` makes the parameter required. It is the advice in the error for an empty value.
	({ goesInto: 'path'; ifEmpty: string } | { goesInto: 'body'; ifEmpty?: string });

/** Description of one operation. Its panel, checks, requests, error texts and documents are made from these members. */
export interface Operation {
	/** Name of the resource in workflows, such as `priceList`, from which the title "Price List" is made. */
	resource: string;
	/** Name of the operation as workflows store it. Use the same name for the same action on every resource. */
	operation: string;
	name: string;
	/** Text in n8n's list of actions, in sentence case, without articles. AI agents read only this text. */
	action: string;
	/** Text under the name of the operation in the panel. */
	description: string;
	/** Additional search words for n8n's list of nodes. */
	aliases: readonly string[];
	/** Endpoint for each API version. Credentials of a version without an endpoint cannot run the operation. */
	endpoints: Partial<Record<ApiVersion, Endpoint>>;
	/** `call` sends a call for each input item, in parallel. `confirm` sends nothing and returns the input items. */
	kind: 'list' | 'changes' | 'call' | 'read' | 'confirm';
	/** True if the user chooses the fields of the request body. Only calls have this member. */
	sendsData?: true;
	/** Name and value of an example field for the panel and for errors. Only calls with `sendsData` have this member. */
	exampleField?: readonly [name: string, value: string];
	/** Text of a notice in the panel about the fields to send. Only calls with `sendsData` have this member. */
	fieldsNotice?: string;
	/** Name of the field for a call's result if Include Input Fields is on. Defaults to `operation`. */
	resultField?: string;
	/** True if the panel shows that the list is read for each input item. For `getAll`, n8n itself shows this. */
	hintsAtOnce?: true;
	/** True if the user chooses the object type of a list or sync. The node sends it as `object_type`. */
	choosesObjectType?: true;
	/** Text parameters that only this call has. */
	parameters?: readonly OwnParameter[];
	/** Body fields with a fixed value. Other values in the user's data are errors. Lists have only `object_type`. */
	fixedFields?: Readonly<Record<string, string>>;
	/** True if a call without any fields is valid. */
	mayBeEmpty?: true;
	/** HTTP methods that the user can choose from, if the service's specification does not name the method of the call. */
	methods?: readonly HttpMethod[];
	/** `one` turns a response into one output item, `items` turns each element of its `data.items` into an item. */
	result: 'one' | 'items';
	/** Effect of sending the same request twice, such as a second charge. It decides which failures are retried. */
	repeat: Repeat;
	/** Default timeout of one attempt of a request, in ms. */
	timeoutMs: number;
	/** Required permission for each API version, as text that completes "This operation needs …". */
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

/** Returns the ID of an operation, made of the names that workflows store, for example "company:getAll". */
export function idOf({ resource, operation }: Operation): string {
	return `${resource}:${operation}`;
}

/** Expression for the ID of the chosen operation (see `idOf`), for the description of the node. */
export const CHOSEN = '$parameter.resource + ":" + $parameter.operation';

/** Expression for the number of input items. In the editor, `$input` throws if there is no input yet. */
export const INPUT_ITEMS =
	'(() => { try { return $input.all().length; } catch (error) { return 0; } })()';

/** Text at the end of an operation's action and description, which warns users and AI models. */
export const WARNING: Record<Repeat, string> = {
	safe: '',
	acts: ' (cannot be undone)',
	billed: ' (may be billed)',
};
