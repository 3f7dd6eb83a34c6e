import type { ConfigMap, PodSpec } from '#lib/api/types/core.v1.ts';
import { CONFIG_MAPS } from '#lib/api/types/resources.ts';
import type { Clientset } from '#lib/client/clientset.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { notFound } from '#lib/machinery/errors.ts';
import { ReferencedObjects } from '../util/manager/referenced-objects.ts';

/** The config maps that pods of this node refer to (upstream: configmap.Manager). For `ttl`, see ReferencedObjects. */
export const nodeConfigMaps = (
  client: Clientset,
  { clock, ttl }: { readonly clock: Clock; readonly ttl: () => number | undefined },
): ReferencedObjects<ConfigMap> =>
  new ReferencedObjects({
    clock,
    ttl,
    names: ({ spec }) => configMapNames(spec),
    get: (namespace, name, cached) => client.get({ resource: CONFIG_MAPS, namespace, name }, { cached }),
  });

/** The names of all config maps in a pod's environment variables and volumes. */
export function configMapNames(spec: PodSpec): string[] {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
  const names = [
    ...containers.flatMap(({ env = [] }) => env.map(({ valueFrom }) => valueFrom?.configMapKeyRef?.name)),
    ...containers.flatMap(({ envFrom = [] }) => envFrom.map(({ configMapRef }) => configMapRef?.name)),
    ...(spec.volumes ?? []).map(({ configMap }) => configMap?.name),
    ...(spec.volumes ?? []).flatMap(({ projected }) =>
      (projected?.sources ?? []).map(({ configMap }) => configMap?.name),
    ),
  ];
  return [...new Set(names.flatMap((name) => (name === undefined || name === '' ? [] : [name])))];
}

/**
 * A config map that pods refer to. Throws StatusError NotFound if it does not exist. Like in upstream's manager, the text has the singular.
 */
export async function configMapOf(
  all: ReferencedObjects<ConfigMap>,
  namespace: string,
  name: string,
): Promise<ConfigMap> {
  const found = await all.get(namespace, name);
  if (found === undefined) throw notFound({ group: '', resource: 'configmap' }, name);
  return found;
}
