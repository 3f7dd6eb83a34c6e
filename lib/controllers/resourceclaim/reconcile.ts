import { typedObject } from '#lib/api/typed.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { ResourceClaim, ResourceClaimConsumerReference } from '#lib/api/types/resource.v1.ts';
import { PODS, RESOURCE_CLAIM_TEMPLATES, RESOURCE_CLAIMS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset, type RefOf } from '#lib/client/clientset.ts';
import type { ObjectChange, Reconciler } from '#lib/client/controller/reconciler.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { type Recorder, recordOnce } from '#lib/client/record/record-event.ts';
import {
  type PodClaim,
  podClaims,
  reservations,
} from '#lib/helpers/dynamic-resource-allocation/resourceclaim/pod-claims.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { controllerOf, isDeleting, nameOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import { ClaimUsers } from './claim-users.ts';
import { claimFor, isDone, isMadeFor, isOf, isPod, remainingStatus, reservedStatus, unprotected } from './decide.ts';

const MANAGER = 'ResourceClaimController';

interface Ports {
  readonly client: Clientset;
  readonly recorder: Recorder;
}

/**
 * Generates the claims that pods request by template, and reserves allocated claims for pods that already have a node. Deallocates and
 * deletes claims whose pods are done. This is upstream's resource claim controller, without pod groups.
 */
export function resourceClaimController(client: Client, clock: Clock, events = new EventCorrelator(clock)): Reconciler {
  const users = new ClaimUsers();
  const recorder = { client, component: 'resource_claim', apiVersion: 'v1', kind: 'Pod', events };
  const ports = { client: clientset(client), recorder };
  return {
    name: 'resource-claim',
    keys: (change) => keysOf(users, change),
    async reconcile(key) {
      const [kind, namespace = '', name = ''] = key.split('/');
      await (kind === 'pod' ? syncPod(ports, namespace, name) : syncClaim(ports, namespace, name));
      return undefined;
    },
  };
}

function keysOf(users: ClaimUsers, change: ObjectChange): readonly string[] {
  const { type, group, resource: plural, namespace, name, mentions, object } = change;
  const place = `${namespace}/${name}`;
  if (group === PODS.group && plural === PODS.resource && mentions('esourceClaim')) {
    const claims = users.take(change);
    const isOver = type === 'DELETED' || isDone(typedObject(PODS, object()));
    return [
      ...(isOver ? claims.map((claim) => `claim/${claim}`) : []),
      ...(isOver || isDeleting(object()) ? [] : [`pod/${place}`]),
    ];
  }
  if (group !== RESOURCE_CLAIMS.group || plural !== RESOURCE_CLAIMS.resource) return [];
  const owner = controllerOf(object());
  const pods = new Set(users.podsOf(place));
  if (owner?.kind === 'Pod') pods.add(`${namespace}/${owner.name}`);
  return [...(type === 'DELETED' ? [] : [`claim/${place}`]), ...Array.from(pods, (pod) => `pod/${pod}`)];
}

const refOf = <T extends JsonObject>(resource: ResourceOf<T>, namespace: string, name: string): RefOf<T> => ({
  resource,
  namespace,
  name,
});

async function syncPod(ports: Ports, namespace: string, name: string): Promise<void> {
  const { client } = ports;
  const pod = await client.get(refOf(PODS, namespace, name));
  if (pod === undefined || isDeleting(pod) || isDone(pod)) return;
  const wanted = podClaims(pod);
  const made = new Map<string, string>();
  for (const one of wanted) {
    const claim = await make(ports, namespace, pod, one).catch((error: unknown) => failed(ports, pod, one, error));
    if (claim !== undefined) made.set(one.name, claim);
  }
  if (made.size > 0) await tell(client, namespace, pod, made);
  for (const { claim, template } of wanted) {
    if (claim !== undefined) await reserve(client, namespace, pod, { claim, isOwn: template !== undefined });
  }
}

/** The name of the claim for a pod's entry that has none yet. The claim is created now or was created before. */
async function make(
  { client }: Ports,
  namespace: string,
  pod: Pod,
  { name, claim, template }: PodClaim,
): Promise<string | undefined> {
  if (template === undefined) return undefined;
  const known = claim === undefined ? undefined : await client.get(refOf(RESOURCE_CLAIMS, namespace, claim));
  if (known !== undefined && isOf(pod, known)) return undefined;
  const claims = await client.list(RESOURCE_CLAIMS, { namespace });
  const found = claims.find((one) => isMadeFor(pod, name, one));
  if (found !== undefined) return nameOf(found);
  const spec = await client.get(refOf(RESOURCE_CLAIM_TEMPLATES, namespace, template));
  if (spec === undefined)
    throw new TypeError(`resource claim template "${template}": resourceclaimtemplate "${template}" not found`);
  return nameOf(await client.create(RESOURCE_CLAIMS, claimFor(pod, name, spec)));
}

async function failed({ recorder }: Ports, pod: Pod, { name }: PodClaim, error: unknown): Promise<never> {
  const why = messageOfError(error);
  const message = `PodResourceClaim ${name}: ${why}`;
  await recordOnce(recorder, pod, { type: 'Warning', reason: 'FailedResourceClaimCreation', message });
  throw error;
}

/** Writes all known claims into the pod's status, so that earlier entries stay. */
async function tell(client: Clientset, namespace: string, pod: Pod, made: ReadonlyMap<string, string>): Promise<void> {
  const name = nameOf(pod);
  const others = (pod.status.resourceClaimStatuses ?? []).filter((one) => !made.has(one.name));
  const news = Array.from(made, ([claim, resourceClaimName]) => ({ name: claim, resourceClaimName }));
  const metadata = { name, namespace, uid: uidOf(pod) };
  const status = { resourceClaimStatuses: [...others, ...news] };
  const object = { apiVersion: 'v1', kind: 'Pod', metadata, status };
  const how = { fieldManager: MANAGER, force: true, subresource: 'status' };
  await client.apply(refOf(PODS, namespace, name), object, how).catch(ignoreNotFound);
}

/** Reserves a claim for a pod that was assigned to a node without the scheduler. */
async function reserve(
  client: Clientset,
  namespace: string,
  pod: Pod,
  { claim: name, isOwn }: { readonly claim: string; readonly isOwn: boolean },
): Promise<void> {
  const claim = await client.get(refOf(RESOURCE_CLAIMS, namespace, name));
  if (claim === undefined || (isOwn && !isOf(pod, claim))) return;
  const status = reservedStatus(pod, claim);
  if (status !== undefined)
    await client.update(refOf(RESOURCE_CLAIMS, namespace, name), { ...claim, status }, 'status');
}

async function syncClaim({ client }: Ports, namespace: string, name: string): Promise<void> {
  const ref = refOf(RESOURCE_CLAIMS, namespace, name);
  const claim = await client.get(ref);
  if (claim === undefined) return;
  const remaining = await usersOf(client, namespace, claim);
  const freed = await free(client, ref, claim, remaining);
  if (remaining.length === 0 && freed !== undefined) await removeUnused(client, ref, freed);
}

/** The users that still use the claim, or that cannot be checked. */
async function usersOf(
  client: Clientset,
  namespace: string,
  claim: ResourceClaim,
): Promise<readonly ResourceClaimConsumerReference[]> {
  const users: ResourceClaimConsumerReference[] = [];
  for (const user of reservations(claim)) {
    const pod = isPod(user) ? await client.get(refOf(PODS, namespace, user.name)) : undefined;
    const stays = !isPod(user) || (pod !== undefined && uidOf(pod) === user.uid && !isDone(pod));
    if (stays) users.push(user);
  }
  return users;
}

/** The resulting claim. Undefined if removing the finalizer completed its deletion. */
async function free(
  client: Clientset,
  ref: RefOf<ResourceClaim>,
  claim: ResourceClaim,
  remaining: readonly ResourceClaimConsumerReference[],
): Promise<ResourceClaim | undefined> {
  const status = remainingStatus(claim, remaining);
  const told = status === undefined ? claim : await client.update(ref, { ...claim, status }, 'status');
  const bare = status !== undefined || isDeleting(claim) ? unprotected(told) : undefined;
  return bare === undefined ? told : client.update(ref, bare);
}

/** A generated claim is deleted when its pod ends. The pod object itself may exist for much longer. */
async function removeUnused(client: Clientset, ref: RefOf<ResourceClaim>, claim: ResourceClaim): Promise<void> {
  const owner = controllerOf(claim);
  if (owner?.kind !== 'Pod' || isDeleting(claim)) return;
  const pod = await client.get(refOf(PODS, ref.namespace, owner.name));
  if (pod === undefined || (uidOf(pod) === owner.uid && !isDone(pod))) return;
  const only = { uid: uidOf(claim), resourceVersion: resourceVersionOf(claim) };
  await client.delete(ref, only).catch(ignoreNotFound);
}
