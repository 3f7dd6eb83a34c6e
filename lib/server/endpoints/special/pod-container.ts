import type { Pod } from '#lib/api/types/core.v1.ts';
import { badRequest } from '#lib/machinery/errors.ts';
import { nameOf } from '#lib/machinery/meta.ts';

/** Returns the requested container, or the pod's only one: upstream's validateContainer. Throws 400. */
export function containerOf(pod: Pod, requested: string): string {
  const { initContainers = [], containers, ephemeralContainers = [] } = pod.spec;
  const own = (containers ?? []).map(({ name }) => name);
  const names = [...initContainers.map(({ name }) => name), ...own, ...ephemeralContainers.map(({ name }) => name)];
  if (requested !== '') {
    if (!names.includes(requested)) throw badRequest(`container ${requested} is not valid for pod ${nameOf(pod)}`);
    return requested;
  }
  const [only, ...others] = own;
  if (only !== undefined && others.length === 0) return only;
  const head = `a container name must be specified for pod ${nameOf(pod)}`;
  throw badRequest(only === undefined ? head : `${head}, choose one of: [${names.join(' ')}]`);
}
