import { markdownTable } from 'markdown-table';

/** A row of a Markdown table, by the heads of its columns. */
type Row = Record<string, string>;

const NODE = 'Workspace Data node';
const WITH_SPLIT_OUT = 'HTTP Request + Split Out';

/**
 * README's comparison, with figures from docs/maintainers/benchmarks.md.
 *
 * @param benchmarks the text of that page
 * @throws Error where the page has no such figure
 */
export function tableOfFigures(benchmarks: string): string {
	const time = find(benchmarks, 'Time', { 'Page size': 'default', Latency: '50 ms' });
	const memory = (outputAs: string, records = '100,000'): string =>
		find(benchmarks, 'Memory', { 'Output As': outputAs, Records: records }).Peak ?? '';
	const fault = (name: string): Row => find(benchmarks, 'Faults', { Fault: name });
	const refused = fault('HTTP 429 once: records that come out');
	const broken = fault('A connection breaks once: records that come out');
	const billed = fault('No answer to a call arrives: times that it is processed');
	const rows = [
		['What happens', 'This node', 'HTTP Request'],
		[
			`${time.Records} records are read from a service that responds in ${time.Latency}`,
			`${time[NODE]} s`,
			`${time[WITH_SPLIT_OUT]} s`,
		],
		[
			'100,000 records are read: most memory of n8n',
			`${memory('CSV Files')} as CSV files (1,000,000: ${memory('CSV Files', '1,000,000')}), ${memory('Items')} as items`,
			`${memory(`Items of ${WITH_SPLIT_OUT}`)} as items`,
		],
		[
			'The service responds once with HTTP 429 (too many requests)',
			`waits; ${refused[NODE]} of 10,000 records come out`,
			`ends with an error; ${refused['HTTP Request']} records come out`,
		],
		[
			'A connection breaks once',
			`tries again; ${broken[NODE]} of 10,000 records come out`,
			`ends with an error; ${broken['HTTP Request']} records come out`,
		],
		[
			'A call that may be billed gets no response, and Retry On Fail is on',
			`sent ${times(billed[NODE])}; the error says that it may have been billed`,
			`sent ${times(billed['HTTP Request'])}`,
		],
		[
			'n8n is killed in a scheduled export',
			'the next run continues after what was confirmed ([Sync](docs/sync.md))',
			'the next run begins again',
		],
	];
	return markdownTable(rows, { alignDelimiters: false });
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
