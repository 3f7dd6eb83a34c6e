import type { Client } from '#lib/client/client.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';

const NAMESPACES: GroupVersionResource = { group: '', version: 'v1', resource: 'namespaces' };

/** Namespaces that are always there, as upstream's system namespaces controller makes them. */
const SYSTEM_NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** Makes what every cluster begins with, where it is not there yet. */
export async function bootstrap(client: Client): Promise<void> {
  for (const name of SYSTEM_NAMESPACES) {
    await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }).catch(ignoreExisting);
  }
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof StatusError) || error.reason !== 'AlreadyExists') throw error;
}
