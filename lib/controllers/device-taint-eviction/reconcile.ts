import { typedObject } from '#lib/api/typed.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { ResourceClaim, ResourceSlice } from '#lib/api/types/resource.v1.ts';
import { PODS, RESOURCE_CLAIMS, RESOURCE_SLICES } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import type { ObjectChange, Reconciler } from '#lib/client/controller/reconciler.ts';
import { requeueAfter } from '#lib/client/controller/requeue-after.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { type Recorder, recordOnce } from '#lib/client/record/record-event.ts';
import { updatePodCondition } from '#lib/helpers/component-helpers/pod/update-pod-condition.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { nameOf, uidOf } from '#lib/machinery/meta.ts';
import { splitKey } from '#lib/machinery/namespaced-name.ts';
import { claimNames, isPod } from '../resourceclaim/decide.ts';
import { driversOf, evictionTime, isTainted, poolOf, poolsOf, uses } from './decide.ts';

const NAME = 'device-taint-eviction';
const DISRUPTED = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'DeletionByDeviceTaintManager',
  message: 'Device Taint manager: deleting due to NoExecute taint',
};

/**
 * Deletes pods whose devices have NoExecute taints that their claims do not, or no longer, tolerate. This is upstream's device taint
 * eviction controller without DeviceTaintRules: it reads taints from slices only. Its keys are claims.
 */
export function deviceTaintEviction(untyped: Client, clock: Clock, events = new EventCorrelator(clock)): Reconciler {
  const client = clientset(untyped);
  const recorder: Recorder = { client, component: NAME, apiVersion: 'v1', kind: 'Pod', events };
  const keys = claimsConcerned();
  return {
    name: NAME,
    keys,
    async reconcile(key) {
      const { namespace, name } = splitKey(key);
      const claim = await client.get({ resource: RESOURCE_CLAIMS, namespace, name });
      const users = claim === undefined ? [] : (claim.status.reservedFor ?? []).filter(isPod);
      if (claim === undefined || users.length === 0) return undefined;
      const time = evictionTime(claim, await slicesOf(client, claim));
      if (time === undefined) return undefined;
      const now = clock.now();
      if (time > now) return requeueAfter(time - now);
      for (const user of users) {
        const pod = await client.get({ resource: PODS, namespace, name: user.name });
        if (pod !== undefined && uses(pod, user.uid, claim)) await evict(client, recorder, namespace, pod);
      }
      return undefined;
    },
  };
}

/**
 * Returns a function that maps a change to claims: a changed claim, the claims of a changed pod, or those with devices of a changed pool.
 */
function claimsConcerned(): (change: ObjectChange) => readonly string[] {
  const pools = new Map<string, Set<string>>();
  const known = new Map<string, readonly string[]>();
  const note = (claim: string, names: readonly string[]): void => {
    for (const name of known.get(claim) ?? []) pools.get(name)?.delete(claim);
    if (names.length === 0) known.delete(claim);
    else known.set(claim, names);
    for (const name of names) pools.set(name, (pools.get(name) ?? new Set()).add(claim));
  };
  return ({ type, group, resource: plural, namespace, name, mentions, object }) => {
    if (group === PODS.group && plural === PODS.resource && type !== 'DELETED' && mentions('esourceClaim'))
      return claimNames(object()).map((claim) => `${namespace}/${claim}`);
    if (group !== RESOURCE_CLAIMS.group) return [];
    if (plural === RESOURCE_SLICES.resource) {
      const slice = typedObject(RESOURCE_SLICES, object());
      return type !== 'DELETED' && isTainted(slice) ? [...(pools.get(poolOf(slice)) ?? [])] : [];
    }
    if (plural !== RESOURCE_CLAIMS.resource) return [];
    const names = type === 'DELETED' ? [] : poolsOf(typedObject(RESOURCE_CLAIMS, object()));
    note(`${namespace}/${name}`, names);
    return names.length === 0 ? [] : [`${namespace}/${name}`];
  };
}

async function slicesOf(client: Clientset, claim: ResourceClaim): Promise<readonly ResourceSlice[]> {
  const of = (driver: string) => client.list(RESOURCE_SLICES, { fieldSelector: `spec.driver=${driver}` });
  return (await Promise.all(driversOf(claim).map(of))).flat();
}

async function evict(client: Clientset, recorder: Recorder, namespace: string, pod: Pod): Promise<void> {
  await recordOnce(recorder, pod, {
    type: 'Normal',
    reason: 'DeviceTaintManagerEviction',
    message: 'Marking for deletion',
  });
  const ref = { resource: PODS, namespace, name: nameOf(pod) };
  const { conditions: held } = pod.status;
  const conditions = updatePodCondition(held, DISRUPTED, recorder.events.clock.now());
  if (conditions !== held)
    await client.update(ref, { ...pod, status: { ...pod.status, conditions } }, 'status').catch(ignoreNotFound);
  await client.delete(ref, { uid: uidOf(pod) }).catch(ignoreNotFound);
}
