import type { Client } from '#lib/client/client.ts';
import type { Reconciler } from '#lib/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { isDeleting, uidOf } from '#lib/machinery/meta.ts';
import { instantOf, timeText } from '#lib/machinery/time.ts';
import { core, refOf } from './refs.ts';

/** What becomes of a pod: it runs and is ready, runs and is not, ends, or stays as it is. */
export type Fate = 'ready' | 'running' | 'succeeded' | 'failed' | 'waits';
export type Rule = (pod: JsonObject) => Fate;

/** Every pod runs and is ready. */
export const allReady: Rule = () => 'ready';

const PODS = core('pods');
const PHASES = { ready: 'Running', running: 'Running', succeeded: 'Succeeded', failed: 'Failed' } as const;

/** Nodes without nodes: every pod becomes what the rule says, and one that is to end has ended. */
export function podSimulator(client: Client, clock: Clock, rule: Rule): Reconciler {
  return {
    name: 'pod-simulator',
    keys: ({ type, group, resource, namespace, name }) =>
      group === '' && resource === 'pods' && type !== 'DELETED' ? [`${namespace}/${name}`] : [],
    async reconcile(key) {
      const [namespace = '', name = ''] = key.split('/');
      const ref = refOf(PODS, namespace, name);
      const pod = await client.get(ref);
      if (pod === undefined) return undefined;
      if (isDeleting(pod)) await client.delete(ref, { uid: uidOf(pod), gracePeriodSeconds: 0 });
      else if (isToChange(pod, rule(pod))) await client.patch(ref, { status: statusOf(rule(pod), clock) }, 'status');
      return undefined;
    },
  };
}

function isToChange(pod: JsonObject, fate: Fate): boolean {
  if (fate === 'waits') return false;
  const { phase, conditions } = objectAt(pod, 'status') ?? {};
  const isReady = JSON.stringify(conditions ?? []).includes('"Ready","status":"True"');
  return phase !== PHASES[fate] || (phase === 'Running' && isReady !== (fate === 'ready'));
}

function statusOf(fate: Exclude<Fate, 'waits'> | Fate, clock: Clock): JsonObject {
  if (fate === 'waits') return {};
  const lastTransitionTime = timeText(instantOf(new Date(clock.now())));
  const status = fate === 'ready' ? 'True' : 'False';
  return { phase: PHASES[fate], conditions: [{ type: 'Ready', status, lastTransitionTime }] };
}
