import { parseArgs } from 'node:util';
import { credentialLines } from './authentication.mts';
import { objectTypeNames, objectTypes } from './object-types.mts';
import { startSandbox, type Quirks } from './server.mts';

const plurals = objectTypeNames.map((name) => objectTypes[name].plural);

const help = `Usage: npm run sandbox -- [options]
  --port 4010         port (0 selects a free port)
  ${plurals.map((name) => `--${name}`).join(', ')}
                      number of records of each object type
  --latency 0         delay before every response, in ms
  --quirks '{}'       unusual behaviour of the service, as JSON: see test/sandbox/README.md
  --help              this text`;

function numberFrom(name: string, value: string | undefined): number | undefined {
	if (value === undefined) return undefined;
	const number = Number(value);
	if (value.trim() === '' || !Number.isFinite(number) || number < 0) {
		throw new Error(`--${name} must be a number, not "${value}".`);
	}
	return number;
}

async function main(): Promise<void> {
	const text = { type: 'string' } as const;
	const counts = Object.fromEntries(plurals.map((name) => [name, text])) as Record<
		(typeof plurals)[number],
		typeof text
	>;
	const { values } = parseArgs({
		options: {
			port: { ...text, default: '4010' },
			...counts,
			latency: text,
			quirks: { ...text, default: '{}' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) {
		console.log(help);
		return;
	}
	const sandbox = await startSandbox({
		port: numberFrom('port', values.port),
		...Object.fromEntries(plurals.map((name) => [name, numberFrom(name, values[name])])),
		latencyMs: numberFrom('latency', values.latency),
		quirks: JSON.parse(values.quirks) as Quirks,
	});
	console.log(`The sandbox is running. Base URL: ${sandbox.url}`);
	console.log('Credentials (fake, they open nothing but this sandbox):');
	for (const line of credentialLines()) console.log(`  ${line}`);
	console.log('Stop it with Ctrl+C.');
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void sandbox.stop());
	}
}

try {
	await main();
} catch (error) {
	console.error((error as Error).message);
	process.exitCode = 1;
}
