import { NodeHelpers } from 'n8n-workflow';
import { it } from 'vitest';
import { createNodeError } from '../../nodes/shared/errors.ts';
import { properties } from '../../nodes/WorkspaceData/properties/index.ts';
it('x', () => { console.log(typeof createNodeError, properties.length, typeof NodeHelpers.displayParameter); });
