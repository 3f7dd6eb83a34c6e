import { decodedAs } from '#lib/api/testing.ts';
import type { ContainerStatus, Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { PREFIX } from './behaviour.ts';
import { type Decision, decide } from './decide.ts';

/** The start time of tests in ms since 1970. */
export const START = Date.parse('2026-01-01T00:00:00Z');
const PLACE = { hostIPs: ['172.18.0.2'], podIPs: ['10.244.0.2'] };

interface PodOverrides {
  /** Annotation values by name without the prefix. */
  readonly behaves?: Readonly<Record<string, string>>;
  readonly metadata?: JsonObject;
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
}

/** A pod bound to a node, with one container `c`. */
export function aPod({ behaves = {}, metadata = {}, spec = {}, status = {} }: PodOverrides = {}): Pod {
  const said = Object.entries(behaves).map(([name, value]) => [`${PREFIX}${name}`, value]);
  const annotations = { ...objectAt(metadata, 'annotations'), ...Object.fromEntries(said) };
  return decodedAs(PODS, {
    metadata: { name: 'p', namespace: 'ns', uid: 'u', generation: 1, ...metadata, annotations },
    spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Always', nodeName: 'n', ...spec },
    status: { phase: 'Pending', qosClass: 'BestEffort', ...status },
  });
}

/** The metadata of a pod controlled by a job. */
export const JOB = {
  ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'j', controller: true }],
};

/** A pod and a node that reconciles it whenever the last decision requested it. */
export class Life {
  pod: Pod;
  now = START;
  /** The written statuses, in order. */
  readonly statuses: PodStatus[] = [];
  last: Decision = { isOver: false };

  constructor(pod: Pod, place = PLACE) {
    this.pod = pod;
    this.#place = place;
  }

  readonly #place: typeof PLACE;

  /** Reconciles until the given time, in seconds from the start. */
  until(seconds: number): this {
    const end = START + seconds * 1000;
    for (let looks = 0; looks < 1000; looks++) {
      this.last = decide(this.pod, this.#place, this.now);
      const { status, lookIn = Infinity } = this.last;
      if (status !== undefined) {
        this.pod = { ...this.pod, status };
        this.statuses.push(status);
        continue; // its own write triggers the next reconcile
      }
      if (this.now + lookIn > end) {
        this.now = end;
        return this;
      }
      this.now += Math.max(lookIn, 1);
    }
    throw new Error('the pod does not settle');
  }

  /** Deletes the pod with this grace period in seconds. */
  delete(grace: number): this {
    const { metadata } = this.pod;
    const deletionTimestamp = new Date(this.now + grace * 1000).toISOString().replace('.000', '');
    this.pod = { ...this.pod, metadata: { ...metadata, deletionTimestamp, deletionGracePeriodSeconds: grace } };
    return this;
  }

  get phases(): unknown[] {
    return this.statuses.map(({ phase }) => phase);
  }

  get status(): PodStatus {
    return this.pod.status;
  }

  /** The conditions as `type=status reason`. */
  get conditions(): string[] {
    const { conditions = [] } = this.status;
    return conditions.map(({ type, status, reason }) => `${type}=${status}${reason === undefined ? '' : ` ${reason}`}`);
  }

  /** Each container as `name state restarts`, with `!` after the name if it is ready. */
  get containers(): string[] {
    const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = this.status;
    const all = [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
    return all.map((one) => `${one.name}${one.ready ? '!' : ''} ${stateOf(one)} ${one.restartCount}`);
  }
}

function stateOf({ state: { waiting, running, terminated } }: ContainerStatus): string {
  if (waiting !== undefined) return ['waiting', waiting.reason].filter((one) => one !== undefined).join(' ');
  if (running !== undefined) return 'running';
  if (terminated === undefined) return '';
  const { reason, exitCode } = terminated;
  return ['terminated', reason, exitCode].filter((one) => one !== undefined).join(' ');
}
