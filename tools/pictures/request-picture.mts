/**
 * Draws docs/images/request.svg: the functions between a node's `execute` and its list request, with their purposes.
 */
import path from 'node:path';
import ts from 'typescript';

import { textOf } from '../../test/checks/imports.mts';
import type { Step } from '../../test/checks/request-path.mts';
import { WIDTH, wrapped } from './boxes.mts';

/** Returns the purpose of a function: the first sentence of its comment, or an empty string. */
export function purposeOf({ name, file }: Step): string {
	const source = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
	const found = find(
		source,
		(each) =>
			(ts.isFunctionLike(each) || ts.isVariableDeclaration(each)) && each.name?.getText() === name,
	);
	const isReturned = found !== undefined && ts.isReturnStatement(found.parent);
	const [comment] = found ? ts.getJSDocCommentsAndTags(isReturned ? found.parent : found) : [];
	const text = ts.getTextOfJSDocComment(comment?.comment) ?? '';
	return /^[^]*?\.(?=\s|$)/.exec(text)?.[0].replaceAll('\n', ' ') ?? text;
}

function find(node: ts.Node, isIt: (node: ts.Node) => boolean): ts.Node | undefined {
	return ts.forEachChild(node, (child) => (isIt(child) ? child : find(child, isIt)));
}

const PAD = 14;
const LINE = 18;
const BOX = 420;

/**
 * Returns the picture as SVG.
 * @param steps steps that `stepsOfRequest` returns, with the last called function first
 */
export function pictureOfRequest(steps: readonly Step[]): string {
	const parts: string[] = [];
	let y = 60;
	for (const [index, step] of steps.toReversed().entries()) {
		const lines = wrapped(purposeOf(step), 66);
		const height = Math.max(2, lines.length) * LINE + PAD;
		const place = `${path.posix.dirname(step.file)}/`;
		parts.push(
			...(index === 0 ? [] : [`<path d="M${PAD + 30} ${y - PAD} v${PAD}" stroke="#9ca3af"/>`]),
			`<rect x="${PAD}" y="${y}" width="${BOX}" height="${height}" rx="8" fill="#eff6ff" stroke="#9ca3af"/>`,
			`<text x="${2 * PAD}" y="${y + LINE + 2}" fill="#111827" font-weight="bold">${index + 1} ${step.name}</text>`,
			`<text x="${2 * PAD}" y="${y + 2 * LINE}" fill="#6b7280">${place}<tspan fill="#1d4ed8">${path.posix.basename(step.file)}</tspan></text>`,
			...lines.map(
				(line, number) =>
					`<text x="${BOX + 2 * PAD}" y="${y + LINE * (number + 1) + 2}" fill="#1f2937">${line}</text>`,
			),
		);
		y += height + PAD;
	}
	const title = 'The path of a request of Company: Get Many';
	const about = 'Each function waits for the one below it; the last one calls n8n’s HTTP helper';
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" role="img" aria-labelledby="title description" font-family="Helvetica, Arial, sans-serif" font-size="13">`,
		`<title id="title">${title}</title>`,
		`<desc id="description">${steps
			.toReversed()
			.map((step) => `${step.name} in ${step.file}`)
			.join(', ')}</desc>`,
		`<rect width="${WIDTH}" height="${y}" fill="#ffffff"/>`,
		`<text x="${PAD}" y="24" font-size="17" font-weight="bold" fill="#111827">${title}</text>`,
		`<text x="${PAD}" y="44" fill="#6b7280">${about}</text>`,
		...parts,
		'</svg>',
		'',
	].join('\n');
}
