import { isObject, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { decide, type Decision } from './decide.ts';
import { PREFIX } from './behaviour.ts';

export const START = Date.parse('2026-01-01T00:00:00Z');
const PLACE = { hostIPs: ['172.18.0.2'], podIPs: ['10.244.0.2'] };

interface Given {
  /** By their names without the prefix. */
  readonly behaves?: Readonly<Record<string, string>>;
  readonly metadata?: JsonObject;
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
}

/** A pod that is bound to a node, with one container `c`. */
export function aPod({ behaves = {}, metadata = {}, spec = {}, status = {} }: Given = {}): JsonObject {
  const said = Object.entries(behaves).map(([name, value]) => [`${PREFIX}${name}`, value]);
  const annotations = { ...objectAt(metadata, 'annotations'), ...Object.fromEntries(said) };
  return {
    metadata: { name: 'p', namespace: 'ns', uid: 'u', generation: 1, ...metadata, annotations },
    spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Always', nodeName: 'n', ...spec },
    status: { phase: 'Pending', qosClass: 'BestEffort', ...status },
  };
}

export const JOB = {
  ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'j', controller: true }],
};

/** A pod and a node that looks at it whenever the last look asked for it. */
export class Life {
  pod: JsonObject;
  now = START;
  /** One for each write. */
  readonly statuses: JsonObject[] = [];
  last: Decision = { isOver: false };

  constructor(pod: JsonObject, place = PLACE) {
    this.pod = pod;
    this.#place = place;
  }

  readonly #place: typeof PLACE;

  /** Looks until nothing is left to do before the time, in seconds from the start. */
  until(seconds: number): this {
    const end = START + seconds * 1000;
    for (let looks = 0; looks < 1000; looks++) {
      this.last = decide(this.pod, this.#place, this.now);
      const { status, lookIn = Infinity } = this.last;
      if (status !== undefined) {
        this.pod = { ...this.pod, status };
        this.statuses.push(status);
        continue; // its own write wakes it
      }
      if (this.now + lookIn > end) {
        this.now = end;
        return this;
      }
      this.now += Math.max(lookIn, 1);
    }
    throw new Error('the pod does not settle');
  }

  /** The pod is asked to go, within so many seconds. */
  delete(grace: number): this {
    const metadata = objectAt(this.pod, 'metadata');
    const deletionTimestamp = new Date(this.now + grace * 1000).toISOString().replace('.000', '');
    this.pod = { ...this.pod, metadata: { ...metadata, deletionTimestamp, deletionGracePeriodSeconds: grace } };
    return this;
  }

  get phases(): unknown[] {
    return this.statuses.map((status) => status['phase']);
  }

  get status(): JsonObject {
    return objectAt(this.pod, 'status') ?? {};
  }

  /** The conditions as `type=status reason`. */
  get conditions(): string[] {
    return listAt(this.status, 'conditions').map(
      (one) =>
        `${String(one['type'])}=${String(one['status'])}${one['reason'] === undefined ? '' : ` ${String(one['reason'])}`}`,
    );
  }

  /** Each container as `name state restarts`, with `!` where it is ready. */
  get containers(): string[] {
    const lists = ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses'];
    return lists
      .flatMap((list) => listAt(this.status, list))
      .map(
        (one) =>
          `${String(one['name'])}${one['ready'] === true ? '!' : ''} ${stateOf(one)} ${String(one['restartCount'])}`,
      );
  }
}

const listAt = (object: JsonObject, field: string): JsonObject[] => {
  const list = object[field];
  return Array.isArray(list) ? list.filter(isObject) : [];
};

function stateOf(status: JsonObject): string {
  const [[name, detail] = ['', undefined]] = Object.entries(objectAt(status, 'state') ?? {});
  const { reason, exitCode } = isObject(detail) ? detail : {};
  return [name, reason, exitCode].filter((one) => one !== undefined).join(' ');
}
