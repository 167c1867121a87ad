/**
 * The contrast of two colours by the web's accessibility guidelines (WCAG 2).
 *
 * @param one a colour such as "#1f5fd0" or "#fff"
 * @param other a colour
 * @returns 1 (none) to 21 (black on white)
 */
export function contrast(one: string, other: string): number {
	const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
	return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
	const digits = colour.slice(1);
	const pairs =
		digits.length === 3 ? [...digits].map((digit) => digit + digit) : digits.match(/../g);
	const [red, green, blue] = (pairs ?? []).map((pair) => linear(Number.parseInt(pair, 16) / 255));
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(value: number): number {
	return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
