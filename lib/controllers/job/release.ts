import type { Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { Clientset } from '#lib/client/clientset.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { finalizersOf, nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { isTracked, TRACKING } from './pod.ts';

/** The maximum number of attempts after conflicts. Kubelets write pods as well. */
const ATTEMPTS = 5;

/** Removes the tracking finalizer from a pod, which may already be deleted. Throws Conflict if other writers keep changing it. */
export async function release(client: Clientset, tracked: Pod): Promise<void> {
  const ref = { resource: PODS, namespace: namespaceOf(tracked), name: nameOf(tracked) };
  let pod: Pod | undefined = tracked;
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
