/** A list, as tests of connections read it. */
export const companies = { resource: 'company', operation: 'getAll' };

/** A call that may be billed. */
export const enrich = {
	resource: 'company',
	operation: 'enrich',
	dataToSend: 'json',
	jsonBody: '{"domain":"a.example"}',
};
