import type { AllocationResult, ResourceClaim } from '#lib/api/types/resource.v1.ts';

/** The maximum number of alternatives of a request. */
const MOST = 8;

/** Scores claims with their allocations. Earlier alternatives of a request score higher. Upstream's computeScore. */
export function scoreOf(allocated: readonly (readonly [ResourceClaim, AllocationResult | undefined])[]): number {
  let score = 0;
  for (const [claim, allocation] of allocated) {
    const got = new Set(allocation?.devices.results?.map(({ request }) => request));
    for (const request of claim.spec.devices.requests ?? [])
      for (const [i, alternative] of (request.firstAvailable ?? []).entries())
        if (got.has(`${request.name}/${alternative.name}`)) score += MOST - i;
  }
  return score;
}
