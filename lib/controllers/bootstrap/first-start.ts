import type { Client, ObjectRef } from '#lib/client/client.ts';
import { annotationsOf } from '#lib/machinery/meta.ts';
import { ensureBootstrapPolicy } from '../rbac-bootstrap/reconcile.ts';
import { type Address, bootstrapObjects, type ClusterTrust } from './objects.ts';
import { ensure } from './reconcile.ts';

const UNTRUSTED: ClusterTrust = { clientAuthority: '' };

/**
 * Creates the objects that every request relies on, before the first request: namespaces, roles, and the client authority if given.
 * Controllers create the rest.
 */
export async function bootstrap(client: Client, address: Address, trust: ClusterTrust = UNTRUSTED): Promise<void> {
  const wanted = bootstrapObjects(address, trust);
  for (const kind of ['namespaces', 'configmaps']) {
    const first = wanted.filter(({ resource }) => resource.resource === kind);
    await Promise.all(first.map((want) => ensure(client, want)));
  }
  await ensureBootstrapPolicy(client);
}

/** The annotation with the version of the program that last created these objects. */
const BOOTSTRAPPED = 'davit.dev/bootstrapped';

const KUBE_SYSTEM: ObjectRef = {
  resource: { group: '', version: 'v1', resource: 'namespaces' },
  namespace: '',
  name: 'kube-system',
};

/** Whether functions serve the control plane. If so, the functions and not a local server create these objects, once per version. */
export async function isServedByFunctions(client: Client): Promise<boolean> {
  const known = await client.get(KUBE_SYSTEM);
  return known !== undefined && annotationsOf(known)[BOOTSTRAPPED] !== undefined;
}

/**
 * Like `bootstrap`, but runs only once per program version across all processes. An annotation of the namespace kube-system records the
 * version.
 */
export async function bootstrapOnce(client: Client, address: Address, version: string): Promise<void> {
  const known = await client.get(KUBE_SYSTEM);
  if (known !== undefined && annotationsOf(known)[BOOTSTRAPPED] === version) return;
  await bootstrap(client, address);
  await client.patch(KUBE_SYSTEM, { metadata: { annotations: { [BOOTSTRAPPED]: version } } });
}
