import { InputProblem } from '../../shared/errors/node-errors';
import { shown } from '../../shared/panel/read-parameters';

const FORBIDDEN = '"*/:<>?\\|';
const MAX_NAME_LENGTH = 200;
/** Known file extensions. The ends of "v1.2", "Dr.Who" and "shop.example" are not extensions, but part of the name. */
const EXTENSIONS = 'csv|tsv|txt|ndjson|jsonl|json';

function isForbidden(character: string): boolean {
	return character < ' ' || character === '\u007f' || FORBIDDEN.includes(character);
}

/** Returns the user's file name. Throws InputProblem if the node cannot write a file with this name. */
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
 * Returns a function that names the files of an export by their number, from 1. The names sort in this order.
 * @param used names that the run has used so far. The new name is added
 * @param round round of a loop, from 1. The names contain it, because all rounds may store their files in one folder
 */
export function namesOfParts(name: string, extension: string, used: Set<string>, round = 1) {
	const withExtension = new RegExp(`^(.+)(\\.(?:${EXTENSIONS}|${extension}))$`, 'i');
	const [, base = name, ending = `.${extension}`] = withExtension.exec(name) ?? [];
	const stem = round > 1 ? `${base}-run${round}` : base;
	let unused = stem;
	// Compare names in lower case, because some file systems ignore letter case.
	const nameInUse = (): string => (unused + ending).toLowerCase();
	for (let number = 2; used.has(nameInUse()); number++) unused = `${stem}-${number}`;
	used.add(nameInUse());
	return (part: number): string => `${unused}-${String(part).padStart(4, '0')}${ending}`;
}

/** Returns a valid file name for any text, such as an object type. */
export function fileNameFrom(text: string): string {
	const clean = [...text].map((character) => (isForbidden(character) ? '_' : character)).join('');
	return clean.slice(0, MAX_NAME_LENGTH);
}
