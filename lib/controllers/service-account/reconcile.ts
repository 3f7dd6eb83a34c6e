import type { Client } from '#lib/client/client.ts';
import type { ObjectChange, Reconciler } from '#lib/controller/reconciler.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { createInNamespace, isActive } from '../create-in-namespace.ts';

const ACCOUNTS: GroupVersionResource = { group: '', version: 'v1', resource: 'serviceaccounts' };
const NAME = 'default';

/** Every namespace has a service account `default`: upstream's serviceaccounts controller. Keys are names of namespaces. */
export function serviceAccountController(client: Client): Reconciler {
  return {
    name: 'serviceaccount',
    keys: namespacesOf,
    async reconcile(namespace) {
      if ((await client.get({ resource: ACCOUNTS, namespace, name: NAME })) !== undefined) return undefined;
      if (await isActive(client, namespace))
        await createInNamespace(client, ACCOUNTS, { metadata: { name: NAME, namespace } });
      return undefined;
    },
  };
}

function namespacesOf({ type, group, resource, namespace, name }: ObjectChange): readonly string[] {
  if (group !== '') return [];
  if (resource === 'namespaces') return type === 'DELETED' ? [] : [name];
  return resource === ACCOUNTS.resource && name === NAME && type === 'DELETED' ? [namespace] : [];
}
