import { globSync } from 'node:fs';
import ts from 'typescript';

import { root, textOf } from './imports.mts';

/** Text in the source code, as a user reads it. `…` stands for an inserted value, and `(a|b)` for one of two texts. */
export interface Literal {
	file: string;
	text: string;
	/** Whether the text consists of the message and the description of an error. */
	isProblem: boolean;
}

/** Error classes whose constructors take a message and a description. */
const PROBLEMS = ['InputProblem', 'CredentialProblem'];

/** Returns every text of more than one word in the shipped code, ordered by file. Comments are not included. */
export function literals(): Literal[] {
	const files = globSync('{credentials,nodes}/**/*.ts', { cwd: root }).toSorted();
	return files.flatMap((file) => {
		const source = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest);
		return textsIn(source).map((found) => ({ file, ...found }));
	});
}

function textsIn(node: ts.Node): Array<Omit<Literal, 'file'>> {
	if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return [];
	const text = isProblem(node) ? problemOf(node) : isText(node) ? wordsOf(node) : undefined;
	if (text === undefined || text === '') {
		const inside: Array<Omit<Literal, 'file'>> = [];
		ts.forEachChild(node, (child) => void inside.push(...textsIn(child)));
		return inside;
	}
	return text.includes(' ') ? [{ text, isProblem: isProblem(node) }] : [];
}

function isProblem(node: ts.Node): node is ts.NewExpression {
	return (
		ts.isNewExpression(node) &&
		ts.isIdentifier(node.expression) &&
		PROBLEMS.includes(node.expression.text)
	);
}

function problemOf({ arguments: parts = [] as never }: ts.NewExpression): string {
	return parts.map((part) => wordsOf(part)).join(' – ');
}

function isText(node: ts.Node): node is ts.Expression {
	return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

function wordsOf(node: ts.Expression): string {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (ts.isParenthesizedExpression(node)) return wordsOf(node.expression);
	if (ts.isArrayLiteralExpression(node)) return node.elements.map(wordsOf).join(' – ');
	if (ts.isConditionalExpression(node)) {
		return `(${wordsOf(node.whenTrue)}|${wordsOf(node.whenFalse)})`;
	}
	if (!ts.isTemplateExpression(node)) return '…';
	const spans = node.templateSpans.map((span) => wordsOf(span.expression) + span.literal.text);
	return node.head.text + spans.join('');
}
