// ESLint rules for published code, in addition to n8n's rules. They have their own file, because eslint.config.mjs
// cannot be changed in n8n's strict mode.
import tseslint from 'typescript-eslint';
import { PROVIDED_MODULES } from './provided-modules.mts';

export default tseslint.config({
	files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'off' },
	languageOptions: {
		parser: tseslint.parser,
		parserOptions: {
			project: './tsconfig.json',
			tsconfigRootDir: `${import.meta.dirname}/..`,
			// Without this option, if CI=true, the parser reads files from disk instead of the text that a test passes.
			disallowAutomaticSingleRunInference: true,
		},
	},
	plugins: { '@typescript-eslint': tseslint.plugin },
	rules: {
		'@typescript-eslint/await-thenable': 'error',
		'@typescript-eslint/no-floating-promises': 'error',
		'@typescript-eslint/no-misused-promises': 'error',
		// n8n's lint allows imports of devDependencies, because a package can bundle them. This package bundles
		// nothing.
		'no-restricted-imports': [
			'error',
			{
				patterns: [
					{
						regex: `^(?!\\.{1,2}/|(?:${PROVIDED_MODULES.join('|')})$)`,
						message: `n8n provides ${PROVIDED_MODULES.join(', ')}. Users do not have other modules.`,
					},
				],
			},
		],
	},
});
