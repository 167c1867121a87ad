import { descriptionFeatures, editorFeatures } from './editor-features.mts';
import { errorFeatures } from './error-features.mts';
import type { Feature } from './feature.mts';
import { features } from './features.mts';
import { fileFeatures } from './file-features.mts';
import { panelFeatures } from './panel-features.mts';
import { syncFeatures } from './sync-features.mts';
import { toolFeatures } from './tool-features.mts';
import { triggerFeatures } from './trigger-features.mts';

/** Everything that is tried, in the order of the table. */
export const allFeatures: Feature[] = [
	...features,
	...errorFeatures,
	...fileFeatures,
	...panelFeatures,
	...syncFeatures,
	...toolFeatures,
	...triggerFeatures,
	...descriptionFeatures,
	...editorFeatures,
];
