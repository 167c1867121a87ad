import type {
	ICredentialTestRequest,
	ICredentialType,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';
import { runNode, type RunOptions } from './harness.mts';

/** Full type name of the probe node. */
export const PROBE_TYPE = 'probe.probe';
/** The key that the probe's service knows. */
export const KEY = 'fake-v2-full-access-key';
/** What the tests and the probe share: the service's address, and how often the probe was tried. */
export const shared = { baseUrl: '', tries: 0 };

/** What the probe node does with each item, by its parameter `action`. */
const actions: Record<
	string,
	(this: IExecuteFunctions, index: number) => Promise<INodeExecutionData>
> = {
	async echo(index) {
		return { json: { value: this.getNodeParameter('value', index) as string } };
	},
	async file(index) {
		const data = Buffer.from(this.getNodeParameter('value', index) as string);
		return { json: {}, binary: { data: await this.helpers.prepareBinaryData(data, 'a.txt') } };
	},
	async tell(index) {
		this.logger.warn('probe warns', { index });
		this.addExecutionHints({ message: 'probe hints', type: 'info' });
		return { json: {} };
	},
	async request(index) {
		const path = this.getNodeParameter('value', index) as string;
		const answer = await this.helpers.httpRequestWithAuthentication.call(this, 'probeApi', {
			url: `${shared.baseUrl}${path}`,
		});
		return { json: answer as IDataObject };
	},
	async credential() {
		return { json: await this.getCredentials('probeApi') };
	},
	async failTwice() {
		shared.tries++;
		if (shared.tries <= 2) throw new Error(`try ${shared.tries} failed`);
		return { json: { tries: shared.tries } };
	},
	async failOdd(index) {
		if (index % 2 === 0) return { json: { index } };
		return { json: { error: `item ${index} failed`, message: 'a', details: {} } };
	},
	async throw() {
		throw new Error('probe threw');
	},
};

/** A node whose parameter `action` says what it does with each item. */
export const probe: INodeType = {
	description: {
		displayName: 'Probe',
		name: 'probe',
		group: ['transform'],
		version: [1, 2],
		description: 'A node of this test',
		defaults: { name: 'Probe' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'probeApi', required: false }],
		properties: [
			{ displayName: 'Action', name: 'action', type: 'string', default: 'echo' },
			{ displayName: 'Value', name: 'value', type: 'string', default: '' },
			{ displayName: 'Needed', name: 'needed', type: 'string', default: 'x', required: true },
		],
	},
	async execute() {
		const run = actions[this.getNodeParameter('action', 0) as string];
		const items: INodeExecutionData[] = [];
		for (let index = 0; index < this.getInputData().length; index++) {
			items.push({ ...(await run.call(this, index)), pairedItem: { item: index } });
		}
		return [items];
	},
};

// n8n's type allows one kind of rule at a time; its code handles both together.
const bothKindsOfRules: unknown = [
	{ type: 'responseCode', properties: { value: 401, message: 'The key is refused' } },
	{
		type: 'responseSuccessBody',
		properties: { key: 'success', value: false, message: 'The service says no' },
	},
];

/** The probe's credential, with both kinds of test rules. */
export const probeApi: ICredentialType = {
	name: 'probeApi',
	displayName: 'Probe API',
	properties: [
		{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: '' },
		{ displayName: 'Version', name: 'version', type: 'string', default: 'v2' },
		{
			displayName: 'Key',
			name: 'apiKey',
			type: 'string',
			default: '',
			displayOptions: { show: { version: ['v2'] } },
		},
		{
			displayName: 'Token',
			name: 'token',
			type: 'string',
			default: '',
			displayOptions: { show: { version: ['v1'] } },
		},
	],
	async authenticate(credentials, request) {
		const Authorization = `Bearer ${String(credentials.apiKey)}`;
		return { ...request, headers: { ...request.headers, Authorization } };
	},
	test: {
		request: { baseURL: '={{ $credentials.baseUrl }}', url: '={{ "/" + $credentials.version }}' },
		rules: bothKindsOfRules as ICredentialTestRequest['rules'],
	},
};

/** Runs the probe with its credential type. */
export const probeRun = (parameters: Record<string, unknown>, more: Partial<RunOptions> = {}) =>
	runNode({
		parameters,
		nodeType: PROBE_TYPE,
		extraNodeTypes: { [PROBE_TYPE]: probe },
		extraCredentialTypes: { probeApi },
		credentialType: 'probeApi',
		...more,
	});
