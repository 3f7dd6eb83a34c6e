import { CONFIG_MAPS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import type { ObjectChange, Reconciler } from '#lib/client/controller/reconciler.ts';
import { createInNamespace, isActive } from '../create-in-namespace.ts';
import { CONFIG_MAP, corrected, newConfigMap } from './decide.ts';

/**
 * Publishes the PEM certificate of the server's authority in every namespace: upstream's root CA publisher. Keys are names
 * of namespaces.
 */
export function rootCaCertPublisher(client: Client, authority: string): Reconciler {
  return {
    name: 'root-ca-cert-publisher',
    keys: namespacesOf,
    async reconcile(namespace) {
      const ref = { resource: CONFIG_MAPS, namespace, name: CONFIG_MAP };
      const current = await clientset(client).get(ref);
      const right = current && corrected(current, authority);
      if (right !== undefined) await client.update(ref, right);
      if (current === undefined && (await isActive(client, namespace)))
        await createInNamespace(client, CONFIG_MAPS, newConfigMap(namespace, authority));
      return undefined;
    },
  };
}

function namespacesOf({ type, group, resource, namespace, name }: ObjectChange): readonly string[] {
  if (group !== '') return [];
  if (resource === 'namespaces') return type === 'DELETED' ? [] : [name];
  return resource === CONFIG_MAPS.resource && name === CONFIG_MAP ? [namespace] : [];
}
