import { globSync } from 'node:fs';
import ts from 'typescript';

import { root, textOf } from './imports.mts';

/** A function of what ships. */
export interface FoundFunction {
	/** The file, and what the function or the nearest thing around it is called. */
	name: string;
	/** Its lines, signature included, and those between its braces. */
	lines: number;
	bodyLines: number;
	/** It stands inside another function, and is neither what this one returns nor a method of it. */
	isInner: boolean;
}

/** Every function of what ships. */
export function functionsThatShip(): FoundFunction[] {
	return globSync('{credentials,nodes}/**/*.ts', { cwd: root }).flatMap((file) => {
		const source = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
		return functionsIn(source).map((node) => ({
			name: `${file}: ${nameOf(node)}`,
			lines: linesOf(node),
			bodyLines: linesOf(node.body) - (/^[({]/.test(node.body.getText()) ? 2 : 0),
			isInner: isInner(node),
		}));
	});
}

type WithBody = ts.FunctionLikeDeclaration & { body: ts.Node };

function functionsIn(node: ts.Node): WithBody[] {
	const inside: WithBody[] = [];
	ts.forEachChild(node, (child) => void inside.push(...functionsIn(child)));
	return ts.isFunctionLike(node) && 'body' in node && node.body
		? [node as WithBody, ...inside]
		: inside;
}

function linesOf(node: ts.Node): number {
	return node.getText().split('\n').length;
}

function nameOf(node: ts.Node): string {
	if (ts.isConstructorDeclaration(node)) return 'constructor';
	const { name } = node as ts.NamedDeclaration;
	return name?.getText() ?? (ts.isSourceFile(node) ? 'at the top' : nameOf(node.parent));
}

function isInner(node: ts.Node): boolean {
	const around = ancestorsOf(node);
	if (!around.some((each) => ts.isFunctionLike(each))) return false;
	const holder = around.find(
		(each) => !ts.isPropertyAssignment(each) && !ts.isObjectLiteralExpression(each),
	);
	return holder === undefined || !ts.isReturnStatement(holder);
}

function ancestorsOf({ parent }: ts.Node): ts.Node[] {
	return ts.isSourceFile(parent) ? [parent] : [parent, ...ancestorsOf(parent)];
}
