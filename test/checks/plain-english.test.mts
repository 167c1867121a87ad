/** What a check can keep of the rules for plain English: names of declarations, and the first word of test titles. */
import { globSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { root, textOf } from './imports.mts';

/** Names that had a meaning in this project only, with the term that replaced each. */
const REPLACED: Record<string, string> = {
	Portion: 'Batch',
	Try: 'NodeRun',
	nodeTry: 'nodeRun',
	Turns: 'MinuteQuota',
	noTurn: 'quotaExceeded',
	turnKey: 'quotaKey',
	Waits: 'WaitBudget',
	RequestBounds: 'RequestLimits',
	bounds: 'limits',
	helps: 'retry',
	KeptResults: 'ResultCache',
	unkept: 'uncached',
	Wanted: 'RecordFilter',
	isEnough: 'isComplete',
	isCut: 'isTruncated',
	Note: 'Notice',
	Refusals: 'throttled or rejected',
};

const sources = globSync('{nodes,credentials,test,tools}/**/*.{ts,mts}', {
	cwd: root,
	exclude: (name) => name === 'node_modules' || name === 'artifacts',
});

/** Calls a function for each node of a source file. */
function forEachNode(file: string, visit: (node: ts.Node) => void): void {
	const source = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
	const walk = (node: ts.Node): void => {
		visit(node);
		ts.forEachChild(node, walk);
	};
	walk(source);
}

/** Returns the name that a node declares; undefined for other nodes. */
function declaredName(node: ts.Node): string | undefined {
	const isDeclaration =
		ts.isVariableDeclaration(node) ||
		ts.isParameter(node) ||
		ts.isPropertySignature(node) ||
		ts.isPropertyDeclaration(node) ||
		ts.isMethodDeclaration(node) ||
		ts.isFunctionDeclaration(node) ||
		ts.isClassDeclaration(node) ||
		ts.isInterfaceDeclaration(node) ||
		ts.isTypeAliasDeclaration(node);
	return isDeclaration && node.name && ts.isIdentifier(node.name) ? node.name.text : undefined;
}

/** Returns the title of a test; undefined for other nodes. A title that is only a placeholder is left out. */
function titleOfTest(node: ts.Node): string | undefined {
	if (!ts.isCallExpression(node)) return undefined;
	const callee = ts.isCallExpression(node.expression)
		? node.expression.expression
		: node.expression;
	if (!/^(it|test)\b/.test(callee.getText())) return undefined;
	const [title] = node.arguments;
	if (title === undefined || !(ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) {
		return undefined;
	}
	const text = title.getText().slice(1, -1);
	return /^(%s|\$[\w.]+)$/.test(text) ? undefined : text;
}

/** "returns …", "does not return …"; the first word is in the third person. */
const BEGINS_WITH_VERB = /^(has|is|does|[a-z-]+[^s\W]s)\b/;

it('declares no name that a term of the field has replaced', () => {
	const found = sources.flatMap((file) => {
		const names: string[] = [];
		forEachNode(file, (node) => {
			const name = declaredName(node);
			if (name && Object.hasOwn(REPLACED, name)) names.push(`${file}: ${name} → ${REPLACED[name]}`);
		});
		return names;
	});
	expect(found).toEqual([]);
});

it('begins every test title with a verb in the third person', () => {
	const found = sources.flatMap((file) => {
		const titles: string[] = [];
		if (!/\.(test|spec)\.mts$|^test\/queue\//.test(file)) return titles;
		forEachNode(file, (node) => {
			const title = titleOfTest(node);
			if (title !== undefined && !BEGINS_WITH_VERB.test(title)) titles.push(`${file}: ${title}`);
		});
		return titles;
	});
	expect(found).toEqual([]);
});
