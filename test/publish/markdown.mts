/** The links and pictures of a Markdown document as they are written, without those inside code. */
export function linksOf(text: string): Array<{ target: string; isPicture: boolean }> {
	const plain = withoutCode(text);
	const links = plain.matchAll(/(!?)\[(?:[^[\]]|\[[^[\]]*\])*\]\(([^()\s]+)(?: "[^"]*")?\)/g);
	return [...links].map(([, mark, target]) => ({ target, isPicture: mark === '!' }));
}

/** The headings of a Markdown document, without their marks. */
export function headingsOf(text: string): string[] {
	return [...withoutBlocks(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => heading.trim());
}

/** The names by which GitHub and npm link to a document's headings. */
export function anchorsOf(text: string): Set<string> {
	const seen = new Map<string, number>();
	return new Set(
		headingsOf(text).map((heading) => {
			const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
			const anchor = plain.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
			const count = seen.get(anchor) ?? 0;
			seen.set(anchor, count + 1);
			return count === 0 ? anchor : `${anchor}-${count}`;
		}),
	);
}

function withoutBlocks(text: string): string {
	return text.replaceAll(/^(```+|~~~+)[^\n]*\n[\s\S]*?^\1\s*$/gm, '');
}

function withoutCode(text: string): string {
	return withoutBlocks(text).replaceAll(/`[^`\n]*`/g, '');
}
