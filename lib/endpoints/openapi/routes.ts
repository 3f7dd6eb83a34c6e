import type { CustomResources } from '#lib/registry/resources.ts';
import type { Route } from '../non-resource.ts';

/** /openapi/v2 and /openapi/v3. */
export function openApiRoutes(_custom: CustomResources): readonly Route[] {
  return [];
}
