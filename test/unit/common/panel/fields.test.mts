import { describe, expect, it } from 'vitest';

import {
	choice,
	number,
	optionsProperty,
	text,
	yesOrNo,
} from '../../../../nodes/common/panel/fields.ts';

describe('a property', () => {
	it('of a whole number has its bounds and the default that is given', () => {
		const property = number('Page', 'page', { minValue: 1, maxValue: 9, default: 2 });
		expect(property).toEqual({
			displayName: 'Page',
			name: 'page',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 9 },
			default: 2,
		});
	});

	it('of choices has them in the order of their names, whatever the default is', () => {
		const property = choice('When', 'when', {
			choices: { b: ['Later', 'The second'], a: ['Sooner'], c: ['Earlier'] },
			default: 'a',
		});
		expect(property).toMatchObject({ type: 'options', default: 'a' });
		expect(property.options).toEqual([
			{ name: 'Earlier', value: 'c' },
			{ name: 'Later', value: 'b', description: 'The second' },
			{ name: 'Sooner', value: 'a' },
		]);
	});

	it('of yes or no is on where it is added', () => {
		const property = yesOrNo('Preview Only', 'previewOnly', {});
		expect(property).toMatchObject({ type: 'boolean', default: true });
	});
});

it('Options offers its options in the order of their names', () => {
	const options = [text('Sort Key', 'sortKey', {}), text('Page', 'page', {})];
	expect(optionsProperty(options).options).toEqual([options[1], options[0]]);
	expect(options[0].name).toBe('sortKey');
});
