import type { FailureKind } from '../../../nodes/client/failures.ts';
import { KINDS } from '../../../nodes/common/errors/kind-texts.ts';

/** Every kind of failure. */
export const FAILURE_KINDS = ['status', ...Object.keys(KINDS)] as FailureKind[];
