import type { Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import type { EventText } from '#lib/client/record/new-event.ts';
import { type Recorder, recordEvent } from '#lib/client/record/record-event.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';

/** Creates and deletes the pods of an owner, and records events on the owner: upstream's RealPodControl. */
export interface PodControl {
  readonly client: Client;
  readonly recorder: Recorder;
  readonly owner: JsonObject;
}

/** Creates a pod and records an event. A refusal because the namespace is terminating is ignored. Any other is recorded and thrown. */
export async function createPod(control: PodControl, pod: JsonObject): Promise<void> {
  try {
    const created = await control.client.create(PODS, pod);
    await tell(control, 'Normal', 'SuccessfulCreate', `Created pod: ${nameOf(created)}`);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (error.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true) return;
    await tell(control, 'Warning', 'FailedCreate', `Error creating: ${error.message}`);
    throw error;
  }
}

/** Deletes a pod and records an event. An already deleted pod is ignored. Any other refusal is recorded and thrown. */
export async function deletePod(control: PodControl, pod: Pod): Promise<void> {
  const name = nameOf(pod);
  try {
    await control.client.delete({ resource: PODS, namespace: namespaceOf(pod), name }, { uid: uidOf(pod) });
    await tell(control, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (error.reason === 'NotFound') return;
    await tell(control, 'Warning', 'FailedDelete', `Error deleting: ${error.message}`);
    throw error;
  }
}

const tell = ({ recorder, owner }: PodControl, type: EventText['type'], reason: string, message: string) =>
  recordEvent(recorder, owner, { type, reason, message });
