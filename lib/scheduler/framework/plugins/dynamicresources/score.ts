import { at, items, text } from '#lib/machinery/unstructured.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';

/** How many alternatives a request can have. */
const MOST = 8;

/** Earlier alternatives are worth more: upstream's computeScore. A claim and its allocation each. */
export function scoreOf(allocated: readonly (readonly [JsonObject, JsonObject])[]): number {
  let score = 0;
  for (const [claim, allocation] of allocated) {
    const got = new Set(items(at(allocation, 'devices'), 'results').map((result) => text(result, 'request')));
    for (const request of items(at(claim, 'spec', 'devices'), 'requests'))
      for (const [i, alternative] of items(request, 'firstAvailable').entries())
        if (got.has(`${text(request, 'name')}/${text(alternative, 'name')}`)) score += MOST - i;
  }
  return score;
}
