import type { Pod } from '#lib/api/types/core.v1.ts';
import { isTerminal } from '#lib/controllers/workload/pod.ts';
import { ownField } from '#lib/machinery/json-value.ts';

const MIRROR = 'kubernetes.io/config.mirror';
/** The pod that the runtime runs has its addresses, whatever older objects still tell. */
const NEWEST = '9999-12-31T23:59:59Z';
/** Lists that a pod may be missing from before it counts as gone. */
const MISSED = 2;

interface Known {
  readonly pod: Pod;
  readonly ips: readonly string[];
  missed: number;
}

const keyOf = ({ metadata: { namespace = '', name = '' } }: Pod): string => `${namespace}/${name}`;

/** Addresses of the node's own pods that the container runtime tells before the API does. */
export class RuntimeAddresses {
  readonly #node: string;
  readonly #told = new Map<string, Pod>();
  readonly #runtime = new Map<string, Known>();

  constructor(node: string) {
    this.#node = node;
  }

  /** Takes the addresses of a pod. Gives the pod as it is now; undefined where the API tells them already. */
  put(pod: Pod, ips: readonly string[]): Pod | undefined {
    const told = this.#told.get(keyOf(pod));
    const known = { pod, ips, missed: 0 };
    if (told !== undefined && tells(told, known)) return undefined;
    this.#runtime.set(keyOf(pod), known);
    return this.#overlaid(known, told);
  }

  /** Takes a pod of the API. Gives the pod as it is now. */
  told(pod: Pod): Pod {
    const key = keyOf(pod);
    this.#told.set(key, pod);
    const known = this.#runtime.get(key);
    if (known === undefined) return pod;
    if (isSame(pod, known.pod) && (isTerminal(pod) || tells(pod, known))) {
      this.#runtime.delete(key);
      return pod;
    }
    return this.#overlaid(known, pod);
  }

  /** Takes that the API has a pod no more. Gives the pod that the runtime has by that name now. */
  gone(namespace: string, name: string): Pod | undefined {
    const key = `${namespace}/${name}`;
    const known = this.#runtime.get(key);
    const told = this.#told.get(key);
    this.#told.delete(key);
    if (known === undefined) return undefined;
    if (told === undefined || !isSame(told, known.pod)) return this.#overlaid(known, undefined);
    this.#runtime.delete(key);
    return undefined;
  }

  /** Takes that the API has told all pods. Gives those of the runtime that it has not told again and again. */
  listed(): Pod[] {
    const gone: Pod[] = [];
    for (const [key, known] of this.#runtime) {
      if (this.#told.has(key) || ++known.missed <= MISSED) continue;
      this.#runtime.delete(key);
      gone.push(known.pod);
    }
    return gone;
  }

  #overlaid({ pod, ips }: Known, told: Pod | undefined): Pod {
    const { metadata, spec, status } = told !== undefined && isSame(told, pod) ? told : pod;
    return {
      metadata: { ...metadata, creationTimestamp: NEWEST },
      spec: { ...spec, nodeName: this.#node },
      status: { ...status, podIPs: ips.map((ip) => ({ ip })) },
    };
  }
}

/** Whether an object of the API is the pod, or the mirror of a static one. */
const isSame = (told: Pod, { metadata: { uid } }: Pod): boolean =>
  told.metadata.uid === uid || (uid !== undefined && ownField(told.metadata.annotations, MIRROR) === uid);

const tells = (told: Pod, { pod, ips }: Known): boolean =>
  isSame(told, pod) && ips.every((ip) => told.status.podIPs?.some((one) => one.ip === ip));
