// The entry of `npm start`. Plain JavaScript with nothing but Node's own modules, because it must still run
// on a Node too old for the TypeScript files behind it, in order to say so.
const neededMajor = 24;
const major = Number(process.versions.node.split('.')[0]);

if (major < neededMajor) {
	console.error(
		`Node ${neededMajor} is needed and this is Node ${process.versions.node}: run \`npm ci\` again and let it install the \`node\` package (it needs that package's install script, so do not use --ignore-scripts).`,
	);
	process.exit(1);
}

const { main } = await import('./start.mts');
// Exit at once: after Ctrl-C during a step, the promise of that step may still be pending.
process.exit(await main(process.argv.slice(2)));
