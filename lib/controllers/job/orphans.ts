import { typedObject } from '#lib/api/typed.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { JOBS, PODS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import type { ObjectChange, Reconciler } from '#lib/client/controller/reconciler.ts';
import { controllerOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { splitKey } from '#lib/machinery/namespaced-name.ts';
import { isFinished } from '#lib/server/registry/kinds/batch/job-conditions.ts';
import { isTracked, TRACKING } from './pod.ts';
import { release } from './release.ts';
import { isManagedElsewhere } from './spec.ts';

/** Tracked pods by the uid of their job, and the jobs that still count their pods. */
class TrackedPods {
  readonly #jobs = new Map<string, string>();
  readonly #pods = new Map<string, Set<string>>();
  readonly #counting = new Set<string>();

  /** The pods that, after this change, no controller will count any more. */
  keys(change: ObjectChange): readonly string[] {
    if (change.group === 'batch' && change.resource === 'jobs') return this.#job(change);
    return change.group === '' && change.resource === 'pods' ? this.#pod(change) : [];
  }

  #job({ type, object }: ObjectChange): readonly string[] {
    const job = object();
    const uid = uidOf(job);
    if (type !== 'DELETED' && !isFinished(job)) {
      this.#counting.add(uid);
      return [];
    }
    this.#counting.delete(uid);
    return [...(this.#pods.get(uid) ?? [])];
  }

  #pod(change: ObjectChange): readonly string[] {
    const key = `${change.namespace}/${change.name}`;
    this.#unlink(key);
    if (change.type === 'DELETED' || !change.mentions(TRACKING)) return [];
    const pod = typedObject(PODS, change.object());
    if (!isTracked(pod)) return [];
    const job = jobOf(pod);
    if (job === undefined) return controllerOf(pod) === undefined ? [key] : [];
    this.#link(key, job.uid);
    return this.#counting.has(job.uid) ? [] : [key];
  }

  #link(key: string, uid: string): void {
    this.#jobs.set(key, uid);
    this.#pods.set(uid, (this.#pods.get(uid) ?? new Set()).add(key));
  }

  #unlink(key: string): void {
    const uid = this.#jobs.get(key) ?? '';
    const keys = this.#pods.get(uid);
    this.#jobs.delete(key);
    keys?.delete(key);
    if (keys?.size === 0) this.#pods.delete(uid);
  }
}

function jobOf(pod: Pod) {
  const controller = controllerOf(pod);
  return controller?.kind === 'Job' && controller.apiVersion === 'batch/v1' ? controller : undefined;
}

/** Removes the tracking finalizer from pods whose job was deleted, finished or released them: upstream's orphan worker. */
export function orphanPods(untyped: Client): Reconciler {
  const client = clientset(untyped);
  const tracked = new TrackedPods();
  return {
    name: 'job-orphan-pods',
    keys: (change) => tracked.keys(change),
    async reconcile(key) {
      const pod = await client.get({ resource: PODS, ...splitKey(key) });
      if (pod !== undefined && isTracked(pod) && (await isOrphan(client, pod))) await release(client, pod);
      return undefined;
    },
  };
}

async function isOrphan(client: Clientset, pod: Pod): Promise<boolean> {
  const owner = jobOf(pod);
  if (owner === undefined) return controllerOf(pod) === undefined;
  const job = await client.get({ resource: JOBS, namespace: namespaceOf(pod), name: owner.name });
  if (job === undefined || uidOf(job) !== owner.uid) return true;
  return isFinished(job) && !isManagedElsewhere(job);
}
