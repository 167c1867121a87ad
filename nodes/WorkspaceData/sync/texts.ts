import type { Answer, Client } from '../../client/request';
import { isObject } from '../../client/envelope';
import { findRecords, type RawRecords } from '../export/raw-records';

/** The records of one answer, of which only some may be wanted. */
interface Origin {
	text: string;
	place: number;
}

/**
 * Remembers the text of every record for as long as the record is in memory, so that files hold what the service
 * sent, to the letter.
 */
export class RecordTexts {
	private readonly origins = new WeakMap<object, Origin>();

	/** The same client, whose answers are remembered. */
	remember(client: Pick<Client, 'answer'>): Pick<Client, 'answer'> {
		return {
			answer: async (...request) => {
				const answer = await client.answer(...request);
				this.note(answer);
				return answer;
			},
		};
	}

	/** The texts of these records, in their order: one group for each answer that they came in. */
	of(records: ReadonlyArray<Record<string, unknown>>): RawRecords[] {
		const groups: RawRecords[] = [];
		let page: RawRecords | undefined;
		let group: RawRecords | undefined;
		for (const record of records) {
			const { text, place } = this.originOf(record);
			if (page === undefined || group === undefined || page.text !== text) {
				page = findRecords(text);
				group = { text, starts: [], ends: [] };
				groups.push(group);
			}
			group.starts.push(page.starts[place]);
			group.ends.push(page.ends[place]);
		}
		return groups;
	}

	private note({ body, text }: Answer): void {
		if (!isObject(body) || !isObject(body.data) || !Array.isArray(body.data.items)) return;
		for (const [place, record] of body.data.items.entries()) {
			if (isObject(record)) this.origins.set(record, { text, place });
		}
	}

	private originOf(record: object): Origin {
		const origin = this.origins.get(record);
		if (origin === undefined) throw new RangeError('A record that this client has not given');
		return origin;
	}
}
