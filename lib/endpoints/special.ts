import type { Resources } from '#lib/registry/resources.ts';
import type { ApiserverPorts } from './apiserver.ts';
import type { SpecialEndpoints } from './router.ts';

/** Endpoints that are no plain subresource of a stored kind. */
export function specialEndpoints(_ports: ApiserverPorts, _resources: Resources): SpecialEndpoints {
  return {};
}
