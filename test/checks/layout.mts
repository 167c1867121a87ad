/** Lines that begin something of their own: a heading, a list, a table, a quote, HTML, code, a picture's line. */
const BEGINS = /^\s*(#{1,6} |[-*+] |\d+\. |\||>|<|```|~~~|---$|\[!\[)/;

/**
 * A Markdown page as all pages are laid out: a paragraph is one line, and tables have no padding, so that a changed word
 * is one changed line. Code is left as it is.
 */
export function laidOut(text: string): string {
	const lines: string[] = [];
	let fence = '';
	for (const line of text.split('\n')) {
		const [, mark = ''] = /^\s*(```+|~~~+)/.exec(line) ?? [];
		const before = lines.at(-1) ?? '';
		if (fence === '' && mark === '' && line.startsWith('|')) lines.push(withoutPadding(line));
		else if (fence === '' && mark === '' && continues(before, line)) {
			lines[lines.length - 1] = `${before} ${line.trim()}`;
		} else lines.push(line);
		if (mark !== '') fence = fence === '' ? mark : '';
	}
	return lines.join('\n');
}

/** Whether a line is more of the paragraph, or of the point of a list, that the line before it belongs to. */
function continues(before: string, line: string): boolean {
	if (line.trim() === '' || before.trim() === '' || BEGINS.test(line)) return false;
	const isList = /^\s*([-*+]|\d+\.) /.test(before);
	return (isList || !BEGINS.test(before)) && !/( {2}|\\)$/.test(before);
}

function withoutPadding(line: string): string {
	const cells = line.split(/(?<!\\)\|/).slice(1, -1);
	const short = cells.map((cell) => cell.trim().replace(/^(:?)-+(:?)$/, '$1---$2'));
	return `| ${short.join(' | ')} |`;
}
