import type { Pod } from '#lib/api/types/core.v1.ts';
import { MIRROR_POD } from '#lib/helpers/component-helpers/pod/mirror.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { equal, type JsonObject } from '#lib/machinery/json-value.ts';
import { isDeleting, nameOf, uidOf } from '#lib/machinery/meta.ts';
import { podText } from '../container/container-ref.ts';
import type { NodeEventRecorder } from '../events/recorder.ts';
import { annotationOf, CONFIG_SEEN, CONFIG_SOURCE, type PodSource, podFullName } from '../types/pod-update.ts';
import type { PodUpdate } from './pod-update.ts';
import { unsafeName } from './unsafe-name.ts';

/** The ports of PodConfig. */
export interface PodConfigOptions {
  readonly clock: Clock;
  readonly recorder: NodeEventRecorder;
  /** Called with the changes, in order. */
  deliver(update: PodUpdate): void;
}

/** The annotations that the kubelet itself adds. */
const LOCAL: ReadonlySet<string> = new Set([CONFIG_SOURCE, MIRROR_POD, CONFIG_SEEN]);

type Op = PodUpdate['op'];

/** A pod as its source last sent it, and as it was delivered. */
interface Held {
  readonly told: Pod;
  readonly pod: Pod;
}

/** Delivers the differences between a source's previous and current pods (upstream: PodConfig). */
export class PodConfig {
  readonly #options: PodConfigOptions;
  readonly #sources = new Map<PodSource, Map<string, Held>>();

  constructor(options: PodConfigOptions) {
    this.#options = options;
  }

  /**
   * Sets all pods of a source. A pod that is the same object as before has not changed. The first call always delivers an update, because
   * the source is ready from then on.
   */
  set(source: PodSource, pods: readonly Pod[]): void {
    const before = this.#sources.get(source);
    const after = new Map<string, Held>();
    const changes: Record<Op, Pod[]> = { REMOVE: [], ADD: [], UPDATE: [], DELETE: [], RECONCILE: [] };
    for (const told of this.#valid(source, pods, before)) {
      const held = before?.get(uidOf(told));
      if (held?.told === told) {
        after.set(uidOf(told), held);
        continue;
      }
      const pod = this.#annotated(told, held?.pod, source);
      const op = held === undefined ? 'ADD' : changeOf(held.pod, pod);
      after.set(uidOf(pod), { told, pod: op === undefined && held !== undefined ? held.pod : pod });
      if (op !== undefined) changes[op].push(pod);
    }
    for (const [uid, { pod }] of before ?? []) if (!after.has(uid)) changes.REMOVE.push(pod);
    this.#sources.set(source, after);
    const isQuiet = changes.ADD.length + changes.UPDATE.length + changes.DELETE.length === 0;
    for (const op of ['REMOVE', 'ADD', 'UPDATE', 'DELETE', 'RECONCILE'] as const) {
      const isFirst = op === 'ADD' && before === undefined && isQuiet;
      if (changes[op].length > 0 || isFirst) this.#options.deliver({ op, source, pods: changes[op] });
    }
  }

  /** Keeps the first of several pods with the same name and namespace. Rejects pods whose names would escape their directories. */
  #valid(source: PodSource, pods: readonly Pod[], before?: ReadonlyMap<string, Held>): Pod[] {
    const names = new Set<string>();
    return pods.filter((pod) => {
      const name = podFullName(pod);
      const unsafe = before?.get(uidOf(pod))?.told === pod ? undefined : unsafeName(pod);
      const isNew = !names.has(name);
      names.add(name);
      if (unsafe === undefined && isNew) return true;
      const why = unsafe === undefined ? `duplicate pod name "${nameOf(pod)}"` : `unsafe ${unsafe}`;
      const message = `Error validating pod ${podText(pod)} from ${source} due to ${why}, ignoring`;
      this.#options.recorder.event(pod, 'Warning', 'FailedValidation', message);
      return false;
    });
  }

  #annotated(pod: Pod, known: Pod | undefined, source: PodSource): Pod {
    const now = new Date(this.#options.clock.now()).toISOString().replace(/\.?0*Z$/, 'Z');
    const seen = (known === undefined ? undefined : annotationOf(known, CONFIG_SEEN)) ?? now;
    const annotations = { ...pod.metadata.annotations, [CONFIG_SOURCE]: source, [CONFIG_SEEN]: seen };
    return { ...pod, metadata: { ...pod.metadata, annotations } };
  }
}

/** The kind of change of a pod, or undefined if it is irrelevant. */
function changeOf(before: Pod, after: Pod): Op | undefined {
  if (equal(wanted(before), wanted(after))) return equal(before.status, after.status) ? undefined : 'RECONCILE';
  return isDeleting(after) ? 'DELETE' : 'UPDATE';
}

/** The fields that define a pod's desired state or that its containers can read. */
function wanted({ spec, metadata }: Pod): JsonObject {
  const { labels = {}, annotations = {}, deletionTimestamp = null, deletionGracePeriodSeconds = null } = metadata;
  const foreign = Object.entries(annotations).filter(([name]) => !LOCAL.has(name));
  return { spec, labels, annotations: Object.fromEntries(foreign), deletionTimestamp, deletionGracePeriodSeconds };
}
