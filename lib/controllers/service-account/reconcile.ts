import { SERVICE_ACCOUNTS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import type { ObjectChange, Reconciler } from '#lib/client/controller/reconciler.ts';
import { createInNamespace, isActive } from '../create-in-namespace.ts';

const NAME = 'default';

/** Creates the service account `default` in every namespace: upstream's serviceaccounts controller. Keys are names of namespaces. */
export function serviceAccountController(client: Client): Reconciler {
  return {
    name: 'serviceaccount',
    keys: namespacesOf,
    async reconcile(namespace) {
      if ((await client.get({ resource: SERVICE_ACCOUNTS, namespace, name: NAME })) !== undefined) return undefined;
      if (await isActive(client, namespace))
        await createInNamespace(client, SERVICE_ACCOUNTS, { metadata: { name: NAME, namespace } });
      return undefined;
    },
  };
}

function namespacesOf({ type, group, resource, namespace, name }: ObjectChange): readonly string[] {
  if (group !== '') return [];
  if (resource === 'namespaces') return type === 'DELETED' ? [] : [name];
  return resource === SERVICE_ACCOUNTS.resource && name === NAME && type === 'DELETED' ? [namespace] : [];
}
