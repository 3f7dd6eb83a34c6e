import type { Pod } from '#lib/api/types/core.v1.ts';
import { MIRROR_POD } from '#lib/helpers/component-helpers/pod/mirror.ts';
import { isPodTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import { ownField } from '#lib/machinery/json-value.ts';

/** The creation time that makes a running pod the owner of its addresses, regardless of older API objects. */
const NEWEST = '9999-12-31T23:59:59Z';
/** The number of lists that may omit a pod before it counts as deleted. */
const MISSED = 2;

interface Known {
  readonly pod: Pod;
  readonly ips: readonly string[];
  missed: number;
}

const keyOf = ({ metadata: { namespace = '', name = '' } }: Pod): string => `${namespace}/${name}`;

/** The addresses of the node's own pods that the container runtime reports before the API does. */
export class RuntimeAddresses {
  readonly #node: string;
  readonly #told = new Map<string, Pod>();
  readonly #runtime = new Map<string, Known>();

  constructor(node: string) {
    this.#node = node;
  }

  /** Stores the addresses of a pod. Returns the resulting pod. Undefined if the API already reports the addresses. */
  put(pod: Pod, ips: readonly string[]): Pod | undefined {
    const told = this.#told.get(keyOf(pod));
    const known = { pod, ips, missed: 0 };
    if (told !== undefined && tells(told, known)) return undefined;
    this.#runtime.set(keyOf(pod), known);
    return this.#overlaid(known, told);
  }

  /** Handles a pod from the API. Returns the resulting pod. */
  told(pod: Pod): Pod {
    const key = keyOf(pod);
    this.#told.set(key, pod);
    const known = this.#runtime.get(key);
    if (known === undefined) return pod;
    if (isSame(pod, known.pod) && (isPodTerminal(pod) || tells(pod, known))) {
      this.#runtime.delete(key);
      return pod;
    }
    return this.#overlaid(known, pod);
  }

  /** Handles the deletion of a pod from the API. Returns the runtime's current pod of that name. */
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

  /** Handles a complete list of pods from the API. Returns the runtime's pods that several lists have omitted. */
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

/** Whether an API object is the pod, or the mirror pod of a static pod. */
const isSame = (told: Pod, { metadata: { uid } }: Pod): boolean =>
  told.metadata.uid === uid || (uid !== undefined && ownField(told.metadata.annotations, MIRROR_POD) === uid);

const tells = (told: Pod, { pod, ips }: Known): boolean =>
  isSame(told, pod) && ips.every((ip) => told.status.podIPs?.some((one) => one.ip === ip));
