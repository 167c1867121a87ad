import path from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

import { operations } from '../../nodes/WorkspaceData/operations.ts';
import { files, imports, textOf } from './imports.mts';

const TABLE = 'nodes/WorkspaceData/operations.ts';

const kinds: string[] = operations.map(({ kind }) => kind);
const operationNames = operations.map(({ operation }) => operation);
const resourceNames = operations.map(({ resource }) => resource);

/** The pieces of code that name an operation, or that set or compare a resource by its name. */
function namesIn(code: string): string[] {
	const source = ts.createSourceFile('code.ts', code, ts.ScriptTarget.Latest, true);
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		ts.forEachChild(node, visit);
		if (!ts.isStringLiteralLike(node) || ts.isTypeNode(node.parent)) return;
		const inList = ts.isArrayLiteralExpression(node.parent);
		const around = (inList ? node.parent.parent : node.parent).getText();
		// A kind of operation may be called as one of them is.
		const isOperation = operationNames.includes(node.text) && !kinds.includes(node.text);
		const isName = [...operationNames, ...resourceNames].includes(node.text);
		if (isOperation || (isName && /\b(resource|operation)\b/.test(around))) found.push(around);
	};
	visit(source);
	return found;
}

describe('no code asks for an operation by its name', () => {
	test.each(files.filter((file) => file !== TABLE))('in %s', (file) => {
		expect(namesIn(textOf(file)), 'put what differs into the rows of operations.ts').toEqual([]);
	});

	test.each([
		"if (operation === 'confirm') confirm();",
		"const isPaid = ['enrich', 'score'].includes(row.operation);",
		"switch (name) { case 'getAll': break; }",
		"const show = { resource: ['company'], operation };",
		"const isDeal = 'deal' !== task.operation.resource;",
	])('which is seen in %s', (code) => {
		expect(namesIn(code)).not.toEqual([]);
	});

	test("which is not seen in a kind, nor in a record's type", () => {
		expect(namesIn("if (kind === 'confirm') run({ objectType: 'company' });")).toEqual([]);
	});
});

describe('inside a node, imports lead downwards only', () => {
	const nodes = ['nodes/WorkspaceData', 'nodes/WorkspaceDataTrigger'];

	/** What a file needs, and what that needs. */
	function neededBy(file: string): Set<string> {
		const needed = new Set([file]);
		for (const one of needed) for (const next of imports.get(one) ?? []) needed.add(next);
		return needed;
	}

	test.each(nodes)(
		'of %s, no feature needs a file that needs another of its own folder',
		(node) => {
			const features = files.filter((file) => path.posix.dirname(file).startsWith(`${node}/`));
			const shared = new Set(features.flatMap((file) => [...neededBy(file)]));
			const wrong = [...shared]
				.filter((file) => path.posix.dirname(file) === node)
				.flatMap((file) =>
					(imports.get(file) ?? [])
						.filter((target) => path.posix.dirname(target).startsWith(`${node}/`))
						.map((target) => `${file} imports ${target}, and a feature needs it`),
				);
			expect(wrong).toEqual([]);
		},
	);
});
