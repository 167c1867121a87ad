/** Row of a Markdown table: its cells by column heading. */
type Row = Record<string, string>;

const NODE = 'Workspace Data node';
const WITH_SPLIT_OUT = 'HTTP Request + Split Out';
const OTHER = 'HTTP Request';

/**
 * Returns the three reasons in README.md to use this node, one per line.
 * @param benchmarks text of docs/maintainers/benchmarks.md
 * @throws Error if the page lacks a figure
 */
export function reasonsOf(benchmarks: string): string {
	const time = findRow(benchmarks, 'Time', { 'Page size': 'default', Latency: '50 ms' });
	const fault = (name: string): Row => findRow(benchmarks, 'Faults', { Fault: name });
	const throttled = fault('HTTP 429 once: returned records');
	const broken = fault('Connection reset once: returned records');
	const billed = fault('All responses to a call lost: times processed');
	if (throttled[NODE] !== broken[NODE] || throttled[OTHER] !== broken[OTHER]) {
		throw new Error(
			'README shows one number for HTTP 429 and for a broken connection, but the benchmarks differ.',
		);
	}
	return [
		`- **Faster**: ${time.Records} records of a service that responds in ${time.Latency} take ${time[NODE]} s, not ${time[WITH_SPLIT_OUT]} s.`,
		`- **Whole**: after one HTTP 429 (too many requests) or a broken connection, ${throttled[NODE]} of 10,000 records come out, not ${throttled[OTHER]}.`,
		`- **Paid for once**: a call whose response is lost is sent ${times(billed[NODE])}, not ${times(billed[OTHER])}, whatever Retry On Fail says.`,
	].join('\n');
}

const times = (count = ''): string => (count === '1' ? 'once' : `${count} times`);

/**
 * Returns the table row with these cells in the section under a heading. Throws unless there is exactly one such row.
 */
function findRow(text: string, heading: string, expected: Row): Row {
	const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
	const [head = [], , ...rows] = section
		.split('\n')
		.filter((line) => line.startsWith('|'))
		.map(cellsOf);
	const found = rows
		.map((cells): Row => Object.fromEntries(cells.map((cell, index) => [head[index], cell])))
		.filter((row) => Object.entries(expected).every(([name, cell]) => row[name] === cell));
	const [row] = found;
	if (row === undefined || found.length > 1) {
		throw new Error(
			`docs/maintainers/benchmarks.md has ${found.length} rows under "${heading}" with ${JSON.stringify(expected)}.`,
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
