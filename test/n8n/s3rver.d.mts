declare module '@20minutes/s3rver' {
	/** A server that speaks S3 and keeps its objects in a folder. It knows one key, `S3RVER`, and checks signatures. */
	export default class S3rver {
		constructor(options: {
			address: string;
			port: number;
			directory: string;
			silent: boolean;
			configureBuckets: { name: string }[];
		});
		run(): Promise<{ address: string; port: number }>;
		close(): Promise<void>;
	}
}
