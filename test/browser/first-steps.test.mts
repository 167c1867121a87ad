import { expect, test } from 'vitest';
import { owner } from '../n8n/rest.mts';
import { sandboxCredentials } from '../sandbox/server.mts';
import { takePicture } from './artifacts.mts';
import { addByAction, openNodeCreator } from './canvas.mts';
import { credentialForm, openNewCredential, saveCredential } from './credential-form.mts';
import { expectWholeTexts } from './cut-texts.mts';
import { useEditorLab } from './editor-lab.mts';
import { itemsShown, runStep } from './panel.mts';

/** Editor without a credential of this package, because a test creates the first credential. */
const lab = useEditorLab({ name: 'first-steps', key: null });

test('lets a user sign in, add the credential, add the node and get companies', async () => {
	const page = await lab.openVisitorsPage();
	await page.goto('/');
	await page.getByTestId('emailOrLdapLoginId').locator('input').fill(owner.email);
	await page.getByTestId('password').locator('input').fill(owner.password);
	await page.getByTestId('form-submit-button').click();
	await page.waitForURL((url) => !url.pathname.startsWith('/signin'));

	await openNewCredential(page);
	await expectWholeTexts(page, credentialForm(page));
	await saveCredential(page, { baseUrl: lab.sandbox.url, apiKey: sandboxCredentials.v2Full });
	await takePicture(page, 'credential', 'works');

	await openNodeCreator(page);
	await addByAction(page, 'Get many companies');
	const credential = page.getByTestId('node-credentials-select').locator('input').first();
	// n8n adds a number to the name if another test has already created a credential.
	await expect.poll(() => credential.inputValue()).toMatch(/^Workspace Data account/);
	lab.sandbox.clearRequests();
	await runStep(page);
	expect(await itemsShown(page)).toContain('50 items');
	const [first] = lab.sandbox.records('company');
	await page.getByTestId('output-panel').getByText(String(first.id)).first().waitFor();
	await takePicture(page, 'output', 'company get many');
	const query = { sort: 'updated_at', limit: '50' };
	expect(lab.sandbox.requests).toMatchObject([
		{ path: '/v2/public/companies', query, status: 200 },
	]);
});

/** Longer timeout in ms for the list of nodes, which n8n redraws after each word. */
const patience = { timeout: 15_000 };

test('finds the node in the node search of n8n with typical search terms, such as "export companies"', async () => {
	/** Worst position allowed for the node in n8n's search results, by search term. */
	const places = {
		'export companies': 1,
		'get many companies': 1,
		'get many items': 1,
		'get many deals': 1,
		'export orders': 1,
		'score deal': 1,
		'score deals': 1,
		'enrich company': 1,
		'enrich companies': 1,
		'prospect companies': 1,
		'query records': 1,
		'get deals': 1,
		'data service': 1,
		incremental: 1,
		'Workspace Data': 1,
		// n8n lists the trigger and the node as one entry, so search terms for the trigger must find this entry too.
		'new orders': 1,
		'new companies': 1,
		'record created': 1,
		// For these search terms, n8n lists some of its own nodes before this node.
		sync: 3,
		CSV: 8,
	};
	const page = await lab.openPage();
	await openNodeCreator(page);
	const search = page.getByTestId('node-creator-search-bar');
	const listed = page.getByTestId('item-iterator-item').getByTestId('node-creator-item-name');
	for (const [words, place] of Object.entries(places)) {
		// Search for nonsense first, so that the results of the previous search are not mistaken for the new results.
		await search.fill('no node is found by this');
		await expect.poll(() => listed.count(), patience).toBe(0);
		await search.fill(words);
		const best = async (): Promise<string[]> => (await listed.allInnerTexts()).slice(0, place);
		await expect.poll(best, { ...patience, message: words }).toContain('Workspace Data');
		await takePicture(page, 'search', words);
	}
	await search.fill('Workspace Data');
	const entry = page.getByTestId('item-iterator-item').filter({ hasText: 'Workspace Data' });
	await entry
		.first()
		.getByText(/^Export, enrich and score companies/)
		.waitFor();
});
