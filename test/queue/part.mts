import { registerLab, type LabOptions } from '../n8n/lab.mts';
import { storeAll } from '../n8n/rest-setup.mts';
import type { Cluster } from './cluster.mts';

/** Registers the hooks of one part of the queue tests. All parts share the same n8n in queue mode. */
export function usePart(running: () => Cluster, options: LabOptions) {
	return registerLab(
		options,
		async (credentials, workflows) => {
			await storeAll(running().client, credentials, workflows);
			for (const { id } of workflows) await running().client.activate(id);
			return {
				// Use a getter, because each start of the main process creates a new client.
				get client() {
					return running().client;
				},
				stop: async () => {
					for (const { id } of workflows) await running().client.deactivate(id);
				},
			};
		},
		() => running().logFiles,
	);
}
