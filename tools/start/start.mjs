// Entry point of `npm start`. It is plain JavaScript and imports nothing, so that an old Node.js without TypeScript can
// run it and print the version that is needed.
const neededMajor = 24;
const major = Number(process.versions.node.split('.')[0]);

if (major < neededMajor) {
	console.error(
		`Node ${neededMajor} is needed and this is Node ${process.versions.node}: run \`npm ci\` again and let it install the \`node\` package (it needs that package's install script, so do not use --ignore-scripts).`,
	);
	process.exit(1);
}

const { main } = await import('./start.mts');
// Exit explicitly, because after Ctrl-C the promise of a running step may still be pending.
process.exit(await main(process.argv.slice(2)));
