import type { Secret } from '#lib/api/types/core.v1.ts';
import { SECRETS } from '#lib/api/types/resources.ts';
import type { Clientset } from '#lib/client/clientset.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { notFound } from '#lib/machinery/errors.ts';
import { secretNames } from '#lib/server/registry/kinds/core/pod/secret-names.ts';
import { ReferencedObjects } from '../util/manager/referenced-objects.ts';

/** The secrets that pods of this node refer to (upstream: secret.Manager). For `ttl`, see ReferencedObjects. */
export const nodeSecrets = (
  client: Clientset,
  { clock, ttl }: { readonly clock: Clock; readonly ttl: () => number | undefined },
): ReferencedObjects<Secret> =>
  new ReferencedObjects({
    clock,
    ttl,
    names: ({ spec }) => secretNames(spec),
    get: (namespace, name, cached) => client.get({ resource: SECRETS, namespace, name }, { cached }),
  });

/** A secret that pods refer to. Throws StatusError NotFound if it does not exist. Like in upstream's manager, the text has the singular. */
export async function secretOf(all: ReferencedObjects<Secret>, namespace: string, name: string): Promise<Secret> {
  const found = await all.get(namespace, name);
  if (found === undefined) throw notFound({ group: '', resource: 'secret' }, name);
  return found;
}
