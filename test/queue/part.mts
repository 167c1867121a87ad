import { registerLab, type LabOptions } from '../n8n/lab.mts';
import { storeAll } from '../n8n/rest-setup.mts';
import type { Cluster } from './cluster.mts';

/** Registers the hooks of a part of the queue tests, whose workflows are published in the cluster of all parts. */
export function usePart(running: () => Cluster, options: LabOptions) {
	return registerLab(
		options,
		async (credentials, workflows) => {
			await storeAll(running().client, credentials, workflows);
			for (const { id } of workflows) await running().client.activate(id);
			return {
				// Another one after each start of main.
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
