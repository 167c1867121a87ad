// The rules for code that never ships. The repository's own eslint.config.mjs is pinned by n8n's strict
// mode, and its n8n Cloud rules (no process, no timers, no dependencies) are for published node code only.
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
	{ ignores: ['artifacts/**', '**/artifacts/**'] },
	{
		files: ['**/*.mts', '**/*.mjs'],
		extends: [js.configs.recommended, tseslint.configs.recommended],
	},
);
