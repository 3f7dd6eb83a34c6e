import type { Client, ObjectRef } from '#lib/client/client.ts';
import { annotationsOf } from '#lib/machinery/meta.ts';
import { ensureBootstrapPolicy } from '../rbac-bootstrap/reconcile.ts';
import { type Address, bootstrapObjects, type ClusterTrust } from './objects.ts';
import { ensure } from './reconcile.ts';

const UNTRUSTED: ClusterTrust = { clientAuthority: '' };

/**
 * Makes what every request may count on, before the first request: namespaces, roles, and where it is given the authority of clients.
 * The rest follows by itself.
 */
export async function bootstrap(client: Client, address: Address, trust: ClusterTrust = UNTRUSTED): Promise<void> {
  const wanted = bootstrapObjects(address, trust);
  for (const kind of ['namespaces', 'configmaps']) {
    const first = wanted.filter(({ resource }) => resource.resource === kind);
    await Promise.all(first.map((want) => ensure(client, want)));
  }
  await ensureBootstrapPolicy(client);
}

/** The version of the program that was the last to make them. */
const BOOTSTRAPPED = 'davit.dev/bootstrapped';

const KUBE_SYSTEM: ObjectRef = {
  resource: { group: '', version: 'v1', resource: 'namespaces' },
  namespace: '',
  name: 'kube-system',
};

/** Whether functions serve a control plane: they, and no local server, make these once a version. */
export async function isServedByFunctions(client: Client): Promise<boolean> {
  const known = await client.get(KUBE_SYSTEM);
  return known !== undefined && annotationsOf(known)[BOOTSTRAPPED] !== undefined;
}

/** As `bootstrap`, once a version of the program, however many processes begin: the namespace kube-system tells which one did. */
export async function bootstrapOnce(client: Client, address: Address, version: string): Promise<void> {
  const known = await client.get(KUBE_SYSTEM);
  if (known !== undefined && annotationsOf(known)[BOOTSTRAPPED] === version) return;
  await bootstrap(client, address);
  await client.patch(KUBE_SYSTEM, { metadata: { annotations: { [BOOTSTRAPPED]: version } } });
}
