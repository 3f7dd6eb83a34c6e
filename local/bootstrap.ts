import type { Client } from '#lib/client/client.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';

const NAMESPACES: GroupVersionResource = { group: '', version: 'v1', resource: 'namespaces' };

/** Namespaces that are always there, as upstream's system namespaces controller makes them. */
const SYSTEM_NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

const PRIORITY_CLASSES: GroupVersionResource = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  resource: 'priorityclasses',
};

/** Upstream's two classes above all that users can define. */
const SYSTEM_PRIORITY_CLASSES: readonly JsonObject[] = [
  {
    metadata: { name: 'system-node-critical' },
    value: 2_000_001_000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
  {
    metadata: { name: 'system-cluster-critical' },
    value: 2_000_000_000,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
];

/** Makes what every cluster begins with, where it is not there yet. */
export async function bootstrap(client: Client): Promise<void> {
  for (const name of SYSTEM_NAMESPACES) {
    await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }).catch(ignoreExisting);
  }
  for (const priorityClass of SYSTEM_PRIORITY_CLASSES) {
    await client.create(PRIORITY_CLASSES, priorityClass).catch(ignoreExisting);
  }
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof StatusError) || error.reason !== 'AlreadyExists') throw error;
}
