// ESLint rules for code that is not published. The repository's own eslint.config.mjs cannot be changed in n8n's strict
// mode, and its rules for n8n Cloud (no process, no timers, no dependencies) apply to published code only.
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
	{ ignores: ['artifacts/**', '**/artifacts/**'] },
	{
		files: ['**/*.mts', '**/*.mjs'],
		extends: [js.configs.recommended, tseslint.configs.recommended],
	},
);
