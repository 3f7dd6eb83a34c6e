import type { StatefulSet } from '#lib/api/types/apps.v1.ts';
import type { PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import { PERSISTENT_VOLUME_CLAIMS, PODS } from '#lib/api/types/resources.ts';
import type { ObjectRef } from '#lib/client/client.ts';
import type { Clientset } from '#lib/client/clientset.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import type { EventText } from '#lib/client/record/new-event.ts';
import { type Recorder, recordEvent } from '#lib/client/record/record-event.ts';
import { conflict, StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import type { NewPod } from '../workload/pod-of.ts';
import type { ClaimWork, Step } from './decide.ts';

/** The ports for writing one set's pods and claims. */
export interface Hands {
  readonly client: Clientset;
  readonly recorder: Recorder;
  readonly set: StatefulSet;
}

/** Performs one step and records events. Throws the server's StatusError, and Conflict if a claim is being deleted. */
export async function perform(hands: Hands, step: Step): Promise<void> {
  const { client } = hands;
  const { pod } = step;
  switch (step.do) {
    case 'create':
      return told(hands, 'Create', pod, async () => {
        await provide(hands, pod, step.claims);
        await client.create(PODS, pod);
      });
    case 'provide':
      return provide(hands, pod, step.claims);
    case 'update':
      return told(hands, 'Update', pod, async () => {
        await provide(hands, pod, step.claims);
        if (step.isChanged) await client.update(refOf(PODS, pod), pod);
      });
    case 'delete':
      return told(hands, 'Delete', pod, () =>
        client.delete(refOf(PODS, pod), { uid: uidOf(pod) }).catch(ignoreNotFound),
      );
    default:
      return step satisfies never;
  }
}

const refOf = (resource: GroupVersionResource, object: JsonObject): ObjectRef => ({
  resource,
  namespace: namespaceOf(object),
  name: nameOf(object),
});

/** Creates the missing claims of a pod, and sets the owners of the others. */
async function provide(hands: Hands, pod: NewPod, { create, own, conflicting, ending }: ClaimWork): Promise<void> {
  const { client } = hands;
  for (const claim of create) await createClaim(hands, pod, claim);
  const [gone] = ending;
  if (gone !== undefined) throw conflict(PERSISTENT_VOLUME_CLAIMS, gone, `pvc ${gone} is being deleted`);
  for (const name of conflicting) await tell(hands, 'Warning', 'ConflictingController', conflicts(name));
  for (const { claim, ownerReferences } of own) {
    const metadata = { ...claim.metadata, ownerReferences: [...ownerReferences] };
    await client.update(refOf(PERSISTENT_VOLUME_CLAIMS, claim), { ...claim, metadata }); // its role may not patch claims
  }
}

const conflicts = (name: string): string =>
  `PersistentVolumeClaim ${name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`;

async function createClaim(hands: Hands, pod: NewPod, claim: PersistentVolumeClaim): Promise<void> {
  const what = `Create Claim ${nameOf(claim)}`;
  const whose = `Pod ${nameOf(pod)} in StatefulSet ${nameOf(hands.set)}`;
  try {
    await hands.client.create(PERSISTENT_VOLUME_CLAIMS, claim);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (error.reason !== 'AlreadyExists')
      await tell(hands, 'Warning', 'FailedCreate', `${what} for ${whose} failed error: ${error.message}`);
    throw error;
  }
  await tell(hands, 'Normal', 'SuccessfulCreate', `${what} ${whose} success`);
}

/** Records no event if the name is taken or the namespace is terminating. The latter is not an error either. */
async function told(hands: Hands, verb: string, pod: NewPod, work: () => Promise<unknown>): Promise<void> {
  const what = `${verb} Pod ${nameOf(pod)} in StatefulSet ${nameOf(hands.set)}`;
  try {
    await work();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (error.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true) return;
    if (error.reason !== 'AlreadyExists')
      await tell(hands, 'Warning', `Failed${verb}`, `${what} failed error: ${error.message}`);
    throw error;
  }
  await tell(hands, 'Normal', `Successful${verb}`, `${what} successful`);
}

const tell = ({ recorder, set }: Hands, type: EventText['type'], reason: string, message: string): Promise<void> =>
  recordEvent(recorder, set, { type, reason, message });
