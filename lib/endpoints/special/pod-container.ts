import { badRequest } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';

/** The container that is asked for, or the pod's only one: upstream's validateContainer. Throws 400. */
export function containerOf(pod: JsonObject, asked: string): string {
  const spec = at(pod, 'spec');
  const names = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) =>
    items(spec, field).map((one) => text(one, 'name')),
  );
  if (asked !== '') {
    if (!names.includes(asked)) throw badRequest(`container ${asked} is not valid for pod ${nameOf(pod)}`);
    return asked;
  }
  const [only, ...others] = items(spec, 'containers').map((one) => text(one, 'name'));
  if (only !== undefined && others.length === 0) return only;
  const head = `a container name must be specified for pod ${nameOf(pod)}`;
  throw badRequest(only === undefined ? head : `${head}, choose one of: [${names.join(' ')}]`);
}
