declare module '@20minutes/s3rver' {
	/** S3 server that stores objects in a folder. It accepts only the key `S3RVER` and checks signatures. */
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
