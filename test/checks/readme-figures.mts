/** A row of a Markdown table, by the heads of its columns. */
type Row = Record<string, string>;

const NODE = 'Workspace Data node';
const WITH_SPLIT_OUT = 'HTTP Request + Split Out';
const OTHER = 'HTTP Request';

/**
 * README's three reasons for this node, in a line each.
 *
 * @param benchmarks the text of docs/maintainers/benchmarks.md
 * @throws Error where the page has no such figure
 */
export function reasonsOf(benchmarks: string): string {
	const time = find(benchmarks, 'Time', { 'Page size': 'default', Latency: '50 ms' });
	const fault = (name: string): Row => find(benchmarks, 'Faults', { Fault: name });
	const refused = fault('HTTP 429 once: records that come out');
	const broken = fault('A connection breaks once: records that come out');
	const billed = fault('No answer to a call arrives: times that it is processed');
	if (refused[NODE] !== broken[NODE] || refused[OTHER] !== broken[OTHER]) {
		throw new Error('README has one number for HTTP 429 and a broken connection.');
	}
	return [
		`- **Faster**: ${time.Records} records of a service that responds in ${time.Latency} take ${time[NODE]} s, not ${time[WITH_SPLIT_OUT]} s.`,
		`- **Whole**: after one HTTP 429 (too many requests) or a broken connection, ${refused[NODE]} of 10,000 records come out, not ${refused[OTHER]}.`,
		`- **Paid for once**: a call that gets no response is sent ${times(billed[NODE])}, not ${times(billed[OTHER])}, whatever Retry On Fail says.`,
	].join('\n');
}

const times = (count = ''): string => (count === '1' ? 'once' : `${count} times`);

/** The one row under a heading that has these cells. */
function find(text: string, heading: string, wanted: Row): Row {
	const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
	const [head = [], , ...rows] = section
		.split('\n')
		.filter((line) => line.startsWith('|'))
		.map(cellsOf);
	const found = rows
		.map((cells): Row => Object.fromEntries(cells.map((cell, place) => [head[place], cell])))
		.filter((row) => Object.entries(wanted).every(([name, cell]) => row[name] === cell));
	const [row] = found;
	if (row === undefined || found.length > 1) {
		throw new Error(
			`docs/maintainers/benchmarks.md has ${found.length} rows under "${heading}" with ${JSON.stringify(wanted)}.`,
		);
	}
	return row;
}

function cellsOf(line: string): string[] {
	return line
		.split('|')
		.slice(1, -1)
		.map((cell) => cell.trim());
}
