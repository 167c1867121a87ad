/** Items for one call, as they are drawn: the operation, the options, the service's faults and unkindness. */
import fc from 'fast-check';
import type { Fault, Unkindness } from '../../sandbox/types.mts';
import { faultCases } from '../client/fault-cases.mts';
import type { OnError } from '../harness/harness.mts';

/** Several items for one call (or Who Am I). */
export interface CallHistory {
	operation: keyof typeof services;
	/** What each item asks about; equal numbers are equal bodies. */
	subjects: number[];
	maxConcurrent: number;
	sendIdenticalOnce: boolean;
	onError: OnError;
	maxRetries: number;
	unkind: Unkindness;
	/** Names of the fault matrix's rows, with where they strike. */
	faults: Array<{ name: string; skip: number; times: number }>;
	latencyMs: number;
}

/** An operation, and what the node makes of an item. */
export interface Service {
	node: [resource: string, operation: string];
	path: string;
	/** What the node adds to every body. */
	objectType?: 'company' | 'deal';
	counted?: 'enrich' | 'score' | 'prospect';
	isGet?: true;
}

const score = { path: '/v2/score', counted: 'score' } as const;
const prospect: Service = {
	node: ['company', 'prospect'],
	path: '/v2/prospect/companies',
	counted: 'prospect',
};

export const services = {
	enrich: { node: ['company', 'enrich'], path: '/v2/enrich', counted: 'enrich' },
	scoreCompany: { node: ['company', 'score'], objectType: 'company', ...score },
	scoreDeal: { node: ['deal', 'score'], objectType: 'deal', ...score },
	prospect,
	prospectByGet: { ...prospect, isGet: true },
	whoAmI: { node: ['workspace', 'whoAmI'], path: '/v2/public/auth/whoami', isGet: true },
} satisfies Record<string, Service>;

/** What the sandbox is told to play. */
export function scripted({ faults }: CallHistory): Fault[] {
	return faults.map(({ name, skip, times }) => {
		const found = faultCases.find((one) => one.name === name);
		if (found === undefined) throw new Error(`There is no fault "${name}".`);
		return { ...found.fault, skip, times };
	});
}

const settings = {
	// Windows are short, since the waits are real; a Retry-After is a whole second, so it is rare.
	rateLimit: fc.record({
		algorithm: fc.constantFrom('tokenBucket', 'fixedWindow', 'slidingWindow'),
		requests: fc.integer({ min: 1, max: 6 }),
		windowMs: fc.integer({ min: 15, max: 50 }),
		retryAfter: fc.integer({ min: 0, max: 7 }).map((number) => number === 0),
	}),
	echoSecrets: fc.constant(true),
	// Stands for the service that the test has moved to: a drawn history must not change with a port.
	redirectTo: fc.constant('http://moved.example'),
	prospectTotal: fc.constantFrom(0, 3, 5, 4_000),
} satisfies { [Name in keyof Unkindness]: fc.Arbitrary<Unkindness[Name]> };

/** The settings that are drawn. */
export const drawnSettings = Object.keys(settings) as Array<keyof typeof settings>;

const often = ['rateLimit', 'rateLimit', 'echoSecrets', 'prospectTotal', 'prospectTotal'] as const;

/** None in about every third history, so that the kind sandbox is drawn too. */
const unkind = fc
	.array(fc.constantFrom(...often, 'redirectTo' as const), { maxLength: 3 })
	.chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, settings[name]]))));

const fault = fc.record({
	name: fc.constantFrom(
		...faultCases.filter(({ listsOnly }) => !listsOnly).map(({ name }) => name),
	),
	skip: fc.integer({ min: 0, max: 6 }),
	times: fc.integer({ min: 1, max: 2 }),
});

/** Any history. */
export const callHistory: fc.Arbitrary<CallHistory> = fc.record({
	operation: fc.constantFrom(...(Object.keys(services) as Array<CallHistory['operation']>)),
	subjects: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 }),
	maxConcurrent: fc.constantFrom(1, 2, 5, 20),
	sendIdenticalOnce: fc.boolean(),
	onError: fc.constantFrom<OnError>('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
	maxRetries: fc.integer({ min: 0, max: 3 }),
	unkind: unkind as fc.Arbitrary<Unkindness>,
	faults: fc.oneof(
		{ weight: 3, arbitrary: fc.constant<CallHistory['faults']>([]) },
		{ weight: 2, arbitrary: fc.array(fault, { minLength: 1, maxLength: 2 }) },
	),
	latencyMs: fc.integer({ min: 0, max: 2 }),
});
