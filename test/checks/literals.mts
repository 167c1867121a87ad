import { globSync } from 'node:fs';
import ts from 'typescript';

import { root, textOf } from './imports.mts';

/** A text that stands in the code, as a person would read it: `…` is what is put in, `(a|b)` one or the other. */
export interface Literal {
	file: string;
	text: string;
	/** It is message and description of an error. */
	isProblem: boolean;
}

/** The errors that are written where they are thrown, of a message and a description. */
const PROBLEMS = ['InputProblem', 'CredentialProblem'];

/** Every text of more than one word in the code that ships, by file and in its order. Comments and code are none. */
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
