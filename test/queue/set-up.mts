import { buildPackage } from '../n8n/package-tarball.mts';
import { serverFolder } from '../n8n/paths.mts';
import { createProgress } from '../n8n/progress.mts';
import { setUpServer } from '../n8n/runtime.mts';

/** Once for all files, which run at the same time: the build, and n8n's installation. */
export default async function setUp(): Promise<void> {
	const progress = createProgress();
	await buildPackage(progress);
	await setUpServer(serverFolder(), progress);
}
