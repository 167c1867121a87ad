import { ApiError, badRequest } from './api-error.mts';
import { requireFullAccess, requireScope } from './authentication.mts';
import { bodyObject, envelope, rejectUnknown, type ApiCall, type Endpoint } from './endpoint.mts';
import { chooseFrom, hashOf, hashOfText } from './hashing.mts';

const defaultProspects = 5;
const maximumProspects = 100;
const technologies = ['CRM', 'ERP', 'Web shop', 'Data warehouse', 'Telephony', 'Payroll'];
const reasons = [
	'Recent orders',
	'Growing team',
	'Matching industry',
	'No open tickets',
	'Near you',
];

function filled(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Fields that can identify the record of a call. */
const COMPANY_FIELDS = ['id', 'domain', 'name'];
const DEAL_FIELDS = [...COMPANY_FIELDS, 'title'];

/**
 * Returns the first of these fields that has a value. It identifies the record to enrich or score. Throws HTTP 422 if
 * the body has none of them.
 */
function subjectOf(body: Record<string, unknown>, fields: readonly string[]): string {
	const subject = fields.map((field) => filled(body[field])).find((value) => value !== undefined);
	if (subject !== undefined) return subject;
	const names = fields.join(', ').replace(/, (?!.*, )/, ' and ');
	throw new ApiError(422, 'unprocessable', `Send at least one of ${names}.`);
}

function companyFrom(call: ApiCall, hash: number): Record<string, unknown> {
	const { pools } = call.dataset;
	const name = chooseFrom(pools.companyNames, hash);
	return {
		name: name.name,
		domain: `${name.slug}-${hash % 100_000}.example`,
		industry: chooseFrom(pools.industries, hashOf(hash, 1)),
		country: chooseFrom(pools.countries, hashOf(hash, 2)),
		employees: (hashOf(hash, 3) % 5000) + 1,
	};
}

function enrich(call: ApiCall): string {
	rejectUnknown(call.query, [], 'query parameter');
	requireScope(call.caller, 'companies:write');
	requireFullAccess(call.caller);
	const body = bodyObject(call);
	const hash = hashOfText(subjectOf(body, COMPANY_FIELDS), call.dataset.seed);
	const found = companyFrom(call, hash);
	const result = {
		...(filled(body.id) === undefined ? {} : { id: body.id }),
		...found,
		name: filled(body.name) ?? found.name,
		domain: filled(body.domain) ?? found.domain,
		founded_year: 1950 + (hashOf(hash, 4) % 75),
		technologies: technologies.filter((_, place) => hashOf(hash, 10 + place) % 2 === 0),
		enriched_at: new Date(Date.UTC(2025, 5, 1) + (hash % 8_640_000) * 1000).toISOString(),
	};
	return envelope(JSON.stringify(result), call.contextId);
}

function score(call: ApiCall): string {
	rejectUnknown(call.query, [], 'query parameter');
	const body = bodyObject(call);
	const { object_type: objectType } = body;
	if (objectType !== 'company' && objectType !== 'deal') {
		throw badRequest('object_type must be "company" or "deal".');
	}
	requireScope(call.caller, objectType === 'company' ? 'companies:read' : 'cases:read');
	const fields = objectType === 'company' ? COMPANY_FIELDS : DEAL_FIELDS;
	const hash = hashOfText(`${objectType}:${subjectOf(body, fields)}`, call.dataset.seed);
	const points = hash % 101;
	const result = {
		object_type: objectType,
		...(filled(body.id) === undefined ? {} : { id: body.id }),
		score: points,
		grade: points >= 75 ? 'A' : points >= 50 ? 'B' : points >= 25 ? 'C' : 'D',
		reasons: reasons.filter((_, place) => hashOf(hash, place) % 2 === 0),
	};
	return envelope(JSON.stringify(result), call.contextId);
}

function prospectLimit(value: unknown): number {
	if (value === undefined) return defaultProspects;
	const limit = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
	if (typeof limit !== 'number' || !Number.isSafeInteger(limit) || limit < 1) {
		throw badRequest('limit must be a whole number of at least 1.');
	}
	return Math.min(limit, maximumProspects);
}

function prospect(call: ApiCall): string {
	requireFullAccess(call.caller);
	if (call.method === 'POST') rejectUnknown(call.query, [], 'query parameter');
	const filters = call.method === 'POST' ? bodyObject(call) : { ...call.query };
	const { limit: limitValue, ...criteria } = filters;
	const limit = prospectLimit(limitValue);
	const hash = hashOfText(JSON.stringify(criteria), call.dataset.seed);
	const total = call.quirks.prospectTotal ?? limit;
	const items = Array.from({ length: Math.min(limit, total) }, (_, place) => ({
		prospect_id: `prs_${hash.toString(16).padStart(8, '0')}_${place + 1}`,
		...companyFrom(call, hashOf(hash, place)),
		...(filled(criteria.industry) === undefined ? {} : { industry: criteria.industry }),
		...(filled(criteria.country) === undefined ? {} : { country: criteria.country }),
	}));
	const more = total > limit ? { next_cursor: `prospects_after_${limit}` } : {};
	const pagination = { page: 1, page_size: limit, total, ...more };
	return envelope(JSON.stringify({ items }), call.contextId, pagination);
}

const v1 = { version: 'v1', acceptsWorkspaceCode: true } as const;
const v2 = { version: 'v2' } as const;

/**
 * Endpoints of calls that may be billed or change data. `sandbox.calls` records processed calls by the keys of this
 * table, such as `enrich`.
 */
const calls = {
	enrich: [
		{ method: 'POST', path: '/v1/enrich', access: v1, handle: enrich },
		{ method: 'POST', path: '/v2/enrich', access: v2, handle: enrich },
	],
	score: [
		{ method: 'POST', path: '/v1/score', access: v1, handle: score },
		{ method: 'POST', path: '/v2/score', access: v2, handle: score },
	],
	prospect: [
		{ method: 'POST', path: '/v2/prospect/companies', access: v2, handle: prospect },
		{ method: 'GET', path: '/v2/prospect/companies', access: v2, handle: prospect },
	],
} satisfies Record<string, Endpoint[]>;

/** Key of `sandbox.calls`, such as `enrich`. */
export type CallName = keyof typeof calls;

export const callNames = Object.keys(calls) as CallName[];

export const callEndpoints: Endpoint[] = callNames.flatMap((name) =>
	calls[name].map((endpoint) => ({ ...endpoint, recordedAs: name })),
);
