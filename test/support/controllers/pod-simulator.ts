import type { Client, ObjectRef } from '#lib/client/client.ts';
import type { Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { isDeleting, uidOf } from '#lib/machinery/meta.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { eachPod } from './each-pod.ts';

/** The outcome of a pod: it runs and is ready, runs and is not ready, ends, or stays unchanged. */
export type Fate = 'ready' | 'running' | 'succeeded' | 'failed' | 'waits';
/** Or it runs and becomes ready after the given time in ms. */
export type Rule = (pod: JsonObject) => Fate | { readonly readyAfter: number };

/** Every pod runs and is ready. */
export const allReady: Rule = () => 'ready';

const PHASES = { ready: 'Running', running: 'Running', succeeded: 'Succeeded', failed: 'Failed' } as const;

/** Simulates nodes. Every pod gets the status that the rule returns, and a deleted pod ends. */
export function podSimulator(client: Client, clock: Clock, rule: Rule): Reconciler {
  return eachPod('pod-simulator', client, async (pod, ref) => {
    if (!isDeleting(pod)) return become(client, ref, pod, rule(pod), clock);
    await client.delete(ref, { uid: uidOf(pod), gracePeriodSeconds: 0 });
    return undefined;
  });
}

async function become(
  client: Client,
  ref: ObjectRef,
  pod: JsonObject,
  fate: ReturnType<Rule>,
  clock: Clock,
): Promise<Result> {
  const left = typeof fate === 'string' ? 0 : startOf(pod, clock) + fate.readyAfter - clock.now();
  const now = typeof fate === 'string' ? fate : left > 0 ? 'running' : 'ready';
  if (isToChange(pod, now)) await client.patch(ref, { status: statusOf(now, startOf(pod, clock), clock) }, 'status');
  return left > 0 ? { requeueAfter: left } : undefined;
}

/** When the pod started to run, in milliseconds. */
const startOf = (pod: JsonObject, clock: Clock): number =>
  Date.parse(stringAt(objectAt(pod, 'status'), 'startTime') ?? '') || clock.now();

function isToChange(pod: JsonObject, fate: Fate): boolean {
  if (fate === 'waits') return false;
  const { phase, conditions } = objectAt(pod, 'status') ?? {};
  const isReady = JSON.stringify(conditions ?? []).includes('"Ready","status":"True"');
  return phase !== PHASES[fate] || (phase === 'Running' && isReady !== (fate === 'ready'));
}

function statusOf(fate: Fate, start: number, clock: Clock): JsonObject {
  if (fate === 'waits') return {};
  const conditions = [
    { type: 'Ready', status: fate === 'ready' ? 'True' : 'False', lastTransitionTime: at(clock.now()) },
  ];
  return { phase: PHASES[fate], startTime: at(start), conditions };
}

const at = (time: number): string => timeOf(new Date(time)) ?? '';
