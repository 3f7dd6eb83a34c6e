import type { Client } from '#lib/client/client.ts';
import { bootstrapObjects, type Address } from '#lib/controllers/bootstrap/objects.ts';
import { ensure } from '#lib/controllers/bootstrap/reconcile.ts';
import { ensureBootstrapPolicy } from '#lib/controllers/rbac-bootstrap/reconcile.ts';

/** Makes the namespaces and the roles that every request may count on, before the first request. The rest follows by itself. */
export async function bootstrap(client: Client, address: Address): Promise<void> {
  const namespaces = bootstrapObjects(address).filter(({ resource }) => resource.resource === 'namespaces');
  await Promise.all(namespaces.map((want) => ensure(client, want)));
  await ensureBootstrapPolicy(client);
}
