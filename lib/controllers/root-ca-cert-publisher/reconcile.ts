import type { Client } from '#lib/client/client.ts';
import type { ObjectChange, Reconciler } from '#lib/controller/reconciler.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { createInNamespace, isActive } from '../create-in-namespace.ts';
import { CONFIG_MAP, corrected, newConfigMap } from './decide.ts';

const CONFIG_MAPS: GroupVersionResource = { group: '', version: 'v1', resource: 'configmaps' };

/**
 * Every namespace has the certificate (PEM) that signs the server's: upstream's root CA publisher. Keys are names of
 * namespaces.
 */
export function rootCaCertPublisher(client: Client, authority: string): Reconciler {
  return {
    name: 'root-ca-cert-publisher',
    keys: namespacesOf,
    async reconcile(namespace) {
      const ref = { resource: CONFIG_MAPS, namespace, name: CONFIG_MAP };
      const current = await client.get(ref);
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
