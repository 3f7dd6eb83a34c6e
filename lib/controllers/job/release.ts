import type { Client } from '#lib/client/client.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { finalizersOf, nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { PODS } from '../workload/pod-control.ts';
import { isTracked, TRACKING } from './pod.ts';

/** Kubelets write pods as well: so often it is tried with what they wrote. */
const ATTEMPTS = 5;

/** Takes the tracking finalizer from a pod, which may be gone. Throws Conflict where others keep changing it. */
export async function release(client: Client, tracked: JsonObject): Promise<void> {
  const ref = { resource: PODS, namespace: namespaceOf(tracked), name: nameOf(tracked) };
  let pod: JsonObject | undefined = tracked;
  for (let attempt = 1; pod !== undefined && uidOf(pod) === uidOf(tracked) && isTracked(pod); attempt++) {
    const finalizers = finalizersOf(pod).filter((one) => one !== TRACKING);
    const metadata = { uid: uidOf(pod), resourceVersion: resourceVersionOf(pod), finalizers };
    try {
      await client.patch(ref, { metadata });
      return;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      if (error.reason === 'NotFound') return;
      if (error.reason !== 'Conflict' || attempt === ATTEMPTS) throw error;
      pod = await client.get(ref);
    }
  }
}
