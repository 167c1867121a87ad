import { InputProblem } from '../../shared/errors/node-errors';
import { shown } from '../../shared/panel/read-parameters';

const FORBIDDEN = '"*/:<>?\\|';
const MAX_NAME_LENGTH = 200;
/** Nothing else but the format's own is an extension: not the end of "v1.2", "Dr.Who" or "shop.example". */
const EXTENSIONS = 'csv|tsv|txt|ndjson|jsonl|json';

function isForbidden(character: string): boolean {
	return character < ' ' || character === '\u007f' || FORBIDDEN.includes(character);
}

/** Returns a file name that the user chose. Throws InputProblem if it is no name of a file that this node can write. */
export function checkFileName(name: string): string {
	if (/\.xls[bmx]?$/i.test(name)) {
		throw new InputProblem(
			"'File Name' names an Excel workbook, which this node does not write",
			`For a workbook, set 'Output As' to Items and add n8n's Convert to File node. For a CSV file that Excel opens, write for example companies.csv and set 'CSV Format' to CSV for Excel. It is ${shown(name)} now.`,
		);
	}
	const isName = !/^\.*$/.test(name) && ![...name].some(isForbidden);
	if (isName && name.length <= MAX_NAME_LENGTH) return name;
	throw new InputProblem(
		`'File Name' must have at most ${MAX_NAME_LENGTH} characters, and none of ${FORBIDDEN}`,
		`It is ${shown(name)}. Write for example companies.csv; choose folders in the node that stores the file.`,
	);
}

/**
 * Names the files of an export so that they sort in order. `used` has the names of the run, and gets this one; in a loop,
 * each round is a run (from 1), whose files may be stored where those of the others are.
 */
export function namesOfParts(name: string, extension: string, used: Set<string>, round = 1) {
	const withExtension = new RegExp(`^(.+)(\\.(?:${EXTENSIONS}|${extension}))$`, 'i');
	const [, own = name, ending = `.${extension}`] = withExtension.exec(name) ?? [];
	const stem = round > 1 ? `${own}-run${round}` : own;
	let unused = stem;
	// Some systems do not tell cases apart.
	const nameInUse = (): string => (unused + ending).toLowerCase();
	for (let number = 2; used.has(nameInUse()); number++) unused = `${stem}-${number}`;
	used.add(nameInUse());
	return (part: number): string => `${unused}-${String(part).padStart(4, '0')}${ending}`;
}

/** A file name made from a name that the user did not write as one, such as an object type. */
export function fileNameFrom(text: string): string {
	const clean = [...text].map((character) => (isForbidden(character) ? '_' : character)).join('');
	return clean.slice(0, MAX_NAME_LENGTH);
}
