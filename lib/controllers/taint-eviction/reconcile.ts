import { typedObject } from '#lib/api/typed.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { NODES, PODS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import { forEachAtOnce } from '#lib/client/controller/for-each.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import { requeueAfter } from '#lib/client/controller/requeue-after.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { type Recorder, recordOnce } from '#lib/client/record/record-event.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { disrupted, drivingTaints, evictionTime } from './decide.ts';

const NAME = 'taint-eviction-controller';
/** The number of a node's pods evicted in parallel. */
const AT_ONCE = 8;

/** Deletes pods from nodes with NoExecute taints that they do not, or no longer, tolerate: upstream's taint eviction controller. */
export function taintEviction(untyped: Client, clock: Clock, events = new EventCorrelator(clock)): Reconciler {
  const client = clientset(untyped);
  const tainted = new Set<string>();
  const recorder: Recorder = { client, component: NAME, apiVersion: 'v1', kind: 'Pod', events };
  return {
    name: 'taint-eviction',
    keys({ type, group, resource, name, object }) {
      if (group !== '' || type === 'DELETED') return [];
      if (resource === 'nodes') {
        if (drivingTaints(typedObject(NODES, object())).length > 0) tainted.add(name);
        else tainted.delete(name);
        return tainted.has(name) ? [name] : [];
      }
      if (resource !== 'pods' || tainted.size === 0) return [];
      const node = typedObject(PODS, object()).spec.nodeName ?? '';
      return tainted.has(node) ? [node] : [];
    },
    async reconcile(name) {
      const node = await client.get({ resource: NODES, namespace: '', name });
      if (node === undefined || drivingTaints(node).length === 0) return undefined;
      const now = clock.now();
      const pods = (await client.list(PODS, { fieldSelector: `spec.nodeName=${name}` })).flatMap((pod) => {
        const time = evictionTime(pod, node);
        return time === undefined ? [] : [{ pod, time }];
      });
      const due = pods.filter(({ time }) => time <= now);
      await forEachAtOnce(AT_ONCE, due, ({ pod }) => evict(recorder, pod).catch(ignoreNotFound));
      const next = Math.min(...pods.filter(({ time }) => time > now).map(({ time }) => time));
      return next === Infinity ? undefined : requeueAfter(next - now);
    },
  };
}

async function evict(recorder: Recorder, pod: Pod): Promise<void> {
  const { client } = recorder;
  const ref = { resource: PODS, namespace: namespaceOf(pod), name: nameOf(pod) };
  const message = `Marking for deletion Pod ${ref.namespace}/${ref.name}`;
  await recordOnce(recorder, pod, { type: 'Normal', reason: 'TaintManagerEviction', message });
  const status = disrupted(pod, recorder.events.clock.now());
  if (status !== undefined) await client.patch(ref, { metadata: { uid: uidOf(pod) }, status }, 'status');
  await client.delete(ref, { uid: uidOf(pod) });
}
