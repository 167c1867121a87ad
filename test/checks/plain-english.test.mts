/**
 * Checks two rules for plain English: the code declares no name from the list `REPLACED`, and test titles begin with a
 * verb.
 */
import { globSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { root, textOf } from './imports.mts';

/** Names that only this project understood, with the standard term that replaced each name. */
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
	Unkindness: 'Quirks',
	unkind: 'quirks',
};

const sources = globSync('{nodes,credentials,test,tools}/**/*.{ts,mts}', {
	cwd: root,
	exclude: (name) => name === 'node_modules' || name === 'artifacts',
});

/** All test files, including the suites in test/queue, whose file names have a different ending. */
const testFiles = sources.filter((file) => /\.(test|spec)\.mts$|^test\/queue\//.test(file));

/** Calls a function for each syntax node of a source file. */
function forEachNode(file: string, visit: (node: ts.Node) => void): void {
	const source = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
	const walk = (node: ts.Node): void => {
		visit(node);
		ts.forEachChild(node, walk);
	};
	walk(source);
}

/** Returns the name that a syntax node declares, or undefined if the node declares no name. */
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

/**
 * Returns the title of a test. Returns undefined for other syntax nodes, and for titles that are only a placeholder
 * such as %s.
 */
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

/**
 * Matches titles that begin with a verb, such as "returns …". Also matches titles such as "do not return …", which
 * continue a describe text in the plural.
 */
const BEGINS_WITH_VERB =
	/^(%s|is|are|have|do|never|let|include|hold|read|leave|select|[a-z-]+[^s\W]s)\b/;

it('finds no variable, function or type that has an outdated name from the list REPLACED', () => {
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

it('finds only test titles that begin with a verb in the third person', () => {
	const found = testFiles.flatMap((file) => {
		const titles: string[] = [];
		forEachNode(file, (node) => {
			const title = titleOfTest(node);
			if (title !== undefined && !BEGINS_WITH_VERB.test(title)) titles.push(`${file}: ${title}`);
		});
		return titles;
	});
	expect(found).toEqual([]);
});
