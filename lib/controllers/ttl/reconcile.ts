import { NODES } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, nameOf } from '#lib/machinery/meta.ts';
import { secondsFor } from './decide.ts';

const ANNOTATION = 'node.alpha.kubernetes.io/ttl';
const ALL = 'all';

/**
 * Annotates nodes with the time that they may cache secrets and config maps: upstream's TTL controller. It depends on the number of nodes.
 */
export function ttlController(client: Client): Reconciler {
  return {
    name: 'node-ttl',
    keys({ type, group, resource, object }) {
      if (group !== '' || resource !== NODES.resource) return [];
      return type === 'DELETED' || type === 'ADDED' || secondsOf(object()) === undefined ? [ALL] : [];
    },
    async reconcile() {
      const nodes = await client.list(NODES);
      const counts = Map.groupBy(
        nodes.flatMap((node) => secondsOf(node) ?? []),
        (seconds) => seconds,
      );
      const [most] = [...counts].sort(([, a], [, b]) => b.length - a.length);
      const wanted = secondsFor(nodes.length, most?.[0]);
      for (const node of nodes.filter((one) => secondsOf(one) !== wanted)) {
        const annotations = { [ANNOTATION]: String(wanted) };
        const ref = { resource: NODES, namespace: '', name: nameOf(node) };
        await client.patch(ref, { metadata: { annotations } }).catch(ignoreNotFound);
      }
      return undefined;
    },
  };
}

function secondsOf(node: JsonObject): number | undefined {
  const value = annotationsOf(node)[ANNOTATION] ?? '';
  return /^\d+$/.test(value) ? Number(value) : undefined;
}
