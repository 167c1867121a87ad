import type { Answer } from './request';

/** Stands in place of a number that JavaScript cannot hold with all its digits: the number's canonical decimal. */
export interface ExactNumber {
	allDigits: string;
}

/** A text without such a run of digits, or such an exponent, holds no number that loses digits. Others may or may not. */
const MAY_LOSE_DIGITS = /[\d.]{16}|\d[eE][+-]?\d{3}/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/**
 * The body of an answer, in which every number that would lose digits (an integer beyond 2^53, for example) is
 * replaced by an ExactNumber. For telling values apart; what users get is the body itself.
 *
 * @returns the body itself where no number loses digits
 */
export function bodyWithAllDigits({ body, text }: Answer): unknown {
	if (!MAY_LOSE_DIGITS.test(text)) return body;
	let hasLost = false;
	const marked = text.replace(STRING_OR_NUMBER, (token) => {
		if (token.startsWith('"')) return token;
		const allDigits = decimalOf(token);
		if (allDigits === undefined || allDigits === decimalOf(String(Number(token)))) return token;
		hasLost = true;
		return JSON.stringify({ allDigits } satisfies ExactNumber);
	});
	return hasLost ? (JSON.parse(marked) as unknown) : body;
}

/** True for what `bodyWithAllDigits` puts in place of a number. */
export function isExactNumber(value: unknown): value is ExactNumber {
	return typeof value === 'object' && value !== null && 'allDigits' in value;
}

/** One way to write a number: `1000`, `1000.0` and `1e3` are all `1e3`. Undefined for what is not a decimal number. */
function decimalOf(token: string): string | undefined {
	const [, sign, whole, fraction = '', exponent = '0'] =
		/^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
	if (whole === undefined) return undefined;
	const digits = `${whole}${fraction}`.replace(/^0+/, '');
	const significant = digits.replace(/0+$/, '');
	if (significant === '') return '0';
	const power = Number(exponent) - fraction.length + digits.length - significant.length;
	return `${sign}${significant}e${power}`;
}
