/** Stands where n8n's server has its credentials helper, and treats credential data the way it does. */
import type {
	ICredentialDataDecryptedObject,
	ICredentials,
	ICredentialsExpressionResolveValues,
	ICredentialsHelper,
	ICredentialType,
	IHttpRequestOptions,
	INode,
	INodeCredentialsDetails,
	INodeParameters,
	INodeProperties,
} from 'n8n-workflow';
import { createNodeTypes } from './nodes.mts';
import { n8nCore, n8nWorkflow } from './runtime.mts';

/** The decrypted data of the credentials a workflow may use, keyed by the id (or name) nodes refer to. */
export type CredentialStore = Record<string, Record<string, unknown>>;

/** The credentials helper of one run: the given credentials, and nothing of a database. */
export class HarnessCredentialsHelper extends n8nWorkflow.ICredentialsHelper {
	readonly types: Record<string, ICredentialType>;
	readonly store: CredentialStore;

	constructor(types: Record<string, ICredentialType>, store: CredentialStore) {
		super();
		this.types = types;
		this.store = store;
	}

	getByName(name: string): ICredentialType {
		const type = this.types[name];
		if (!type) throw new Error(`Unrecognized credential type: ${name}`);
		return type;
	}

	/** The package's credential has none. */
	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		incoming: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.getByName(typeName);
		if (typeof authenticate === 'function') return await authenticate(credentials, incoming);
		throw new Error('The harness knows credentials whose authenticate is a function');
	}

	/** Only credentials with an expiring token have this step, and n8n skips it for all others. */
	async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	/** See `preAuthentication`. */
	async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	async getCredentials(details: INodeCredentialsDetails, type: string): Promise<ICredentials> {
		const credentials = new n8nCore.Credentials({ id: details.id, name: details.name }, type);
		await credentials.setData(this.find(details, type));
		return credentials;
	}

	/** As a node sees it: defaults filled in, fields that are not displayed left out, expressions resolved. */
	async getDecrypted(
		...[additionalData, details, type, mode, executeData, raw, values]: Parameters<
			ICredentialsHelper['getDecrypted']
		>
	): Promise<ICredentialDataDecryptedObject> {
		const data = this.find(details, type);
		if (raw) return data;
		const properties = this.getCredentialsProperties(type);
		const given = data as INodeParameters;
		const { getNodeParameters } = n8nWorkflow.NodeHelpers;
		const parameters = getNodeParameters(properties, given, true, false, null, null) ?? {};
		for (const name of ['allowedHttpRequestDomains', 'allowedDomains']) {
			if (data[name] !== undefined) parameters[name] ??= given[name];
		}
		const own = parameters as ICredentialDataDecryptedObject;
		const keys = n8nCore.getAdditionalKeys(additionalData, mode, null, { isCredential: true });
		const at = values ?? credentialOnly();
		const resolved = at.workflow.expression.getParameterValue(
			parameters,
			at.runExecutionData,
			at.runIndex,
			at.itemIndex,
			at.node.name,
			at.connectionInputData,
			mode,
			keys,
			executeData,
			false,
			own,
		);
		return resolved as ICredentialDataDecryptedObject;
	}

	async updateCredentials(): Promise<void> {
		throw new Error('Nodes of this package do not change credentials');
	}

	async updateCredentialsOauthTokenData(): Promise<void> {
		throw new Error('Nodes of this package do not change credentials');
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		return this.getByName(type).properties;
	}

	private find(details: INodeCredentialsDetails, type: string): ICredentialDataDecryptedObject {
		const data = this.store[details.id ?? ''] ?? this.store[details.name];
		if (data) return { ...data } as ICredentialDataDecryptedObject;
		throw new Error(`Credential with ID "${details.id}" does not exist for type "${type}".`);
	}
}

/** Where expressions of a credential are resolved when there is no execution yet, as in a poll. */
function credentialOnly(): ICredentialsExpressionResolveValues {
	const node = { id: '', name: '', typeVersion: 1, type: 'mock', position: [0, 0], parameters: {} };
	const nodeTypes = createNodeTypes({ mock: { description: { properties: [] } } as never });
	const nodes = [node as INode];
	const workflow = new n8nWorkflow.Workflow({ nodes, connections: {}, active: false, nodeTypes });
	const nothing = { runExecutionData: null, runIndex: 0, itemIndex: 0, connectionInputData: [] };
	return { workflow, node: nodes[0], ...nothing };
}
