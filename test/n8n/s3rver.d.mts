declare module '@20minutes/s3rver' {
	/**
	 * S3 server that stores its objects in a folder. The server accepts only the key `S3RVER` and checks signatures.
	 */
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
