/** What n8n's guidelines ask and no machine can tell. Printed after the checks, for the person who releases. */
export const checklist = [
	'The repository is public and its address opens; npm and the repository name the same author.',
	'publish.yml is a trusted publisher of the package on npmjs.com (for the first version: the secret NPM_TOKEN).',
	'The links to other sites in README and docs open.',
	'CHANGELOG.md says everything that users notice, and its heading has the day of the release.',
	'The moving picture and the pictures show the panel as it is: `npm run pictures`.',
	'The words are the service’s own, as its users see them; no technical word where a plain one does.',
	'Error messages say what happened and descriptions what to do, without “error”, “problem”, “failure”, “mistake”.',
	'Operations’ actions name the resource. n8n’s guidelines would leave out articles ("Score deal"); its own nodes have them.',
	'Get Many has no “Simplify” switch: the option Fields chooses among fields that the specification does not list.',
	'The package is for one service, is no copy of a node that n8n has, and is no logic or flow node.',
	'Reviewers of n8n can try it: a test key of the service, or `npm start` with the sandbox.',
	'After publishing: npx @n8n/scan-community-package <name>, then submit it in n8n’s Creator Portal.',
];
