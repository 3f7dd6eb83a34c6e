import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { quote } from '#lib/machinery/go.ts';
import type { PodAdmitHandler, PodAdmitResult } from '../../lifecycle/pod-admit.ts';
import { refusalOf, topologyAffinityError } from '../admission/errors.ts';
import { ContainerMap } from '../containermap.ts';
import type { NumaNode } from '../machine-topology.ts';
import { type AffinityStore, type HintProvider, NO_AFFINITY, type TopologyHint } from './hint-provider.ts';
import { newTopologyPolicy, type TopologyPolicy, type TopologyPolicyName } from './policy.ts';

/** The settings of the topology manager, under upstream's names. */
export interface TopologyManagerConfig {
  readonly policy: string;
  readonly scope: string;
  readonly policyOptions: Readonly<Record<string, string>>;
  readonly nodes: readonly NumaNode[];
}

/**
 * Allocates the resources of a pod from the same NUMA nodes, as far as the policy requires (upstream: topologymanager.Manager). Admits pods
 * one at a time.
 */
export class TopologyManager implements PodAdmitHandler, AffinityStore {
  readonly #policy: TopologyPolicy;
  readonly #podScope: boolean;
  readonly #providers: HintProvider[] = [];
  readonly #hints = new Map<string, Map<string, TopologyHint>>();
  readonly #containers = new ContainerMap();
  #last: Promise<unknown> = Promise.resolve();

  /** Throws Error with upstream's text for unknown names, invalid options, or a machine with too many nodes. */
  constructor({ policy, scope, policyOptions, nodes }: TopologyManagerConfig) {
    this.#policy = newTopologyPolicy(policy, nodes, policyOptions);
    if (policy !== 'none' && scope !== 'container' && scope !== 'pod')
      throw new Error(`unknown scope: ${quote(scope)}`);
    this.#podScope = scope === 'pod';
  }

  get policyName(): TopologyPolicyName {
    return this.#policy.name;
  }

  /** Providers are called in the order in which they were added. */
  addHintProvider(provider: HintProvider): void {
    this.#providers.push(provider);
  }

  getAffinity(podUID: string, containerName: string): TopologyHint {
    return this.#hints.get(podUID)?.get(containerName) ?? NO_AFFINITY;
  }

  admit(pod: Pod): Promise<PodAdmitResult> {
    const admitted = this.#last.then(() => this.#admit(pod));
    this.#last = admitted;
    return admitted;
  }

  /** Records the container id for an allocation. */
  addContainer(pod: Pod, container: Container, containerID: string): void {
    this.#containers.add(pod.metadata.uid ?? '', container.name, containerID);
  }

  /** Forgets the affinity of a container, unless a newer attempt has another id. */
  removeContainer(containerID: string): void {
    const ref = this.#containers.containerRef(containerID);
    if (ref === undefined) return;
    this.#containers.removeByContainerID(containerID);
    if (this.#containers.containerID(ref.podUID, ref.containerName) !== undefined) return;
    const hints = this.#hints.get(ref.podUID);
    hints?.delete(ref.containerName);
    if (hints?.size === 0) this.#hints.delete(ref.podUID);
  }

  async #admit(pod: Pod): Promise<PodAdmitResult> {
    try {
      const shared = this.#podScope && this.#policy.name !== 'none' ? this.#podHint(pod) : undefined;
      for (const container of [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])]) {
        if (this.#policy.name !== 'none') this.#keep(pod, container, shared ?? this.#containerHint(pod, container));
        for (const provider of this.#providers) await provider.allocate(pod, container);
      }
      return { admit: true };
    } catch (error) {
      return refusalOf(error);
    }
  }

  #podHint(pod: Pod): TopologyHint {
    const { hint, admit } = this.#policy.merge(this.#providers.map((provider) => provider.getPodTopologyHints(pod)));
    if (!admit) throw topologyAffinityError();
    return hint;
  }

  #containerHint(pod: Pod, container: Container): TopologyHint {
    const hints = this.#providers.map((provider) => provider.getTopologyHints(pod, container));
    const { hint, admit } = this.#policy.merge(hints);
    if (!admit) throw topologyAffinityError();
    return hint;
  }

  #keep(pod: Pod, container: Container, hint: TopologyHint): void {
    const uid = pod.metadata.uid ?? '';
    const hints = this.#hints.get(uid) ?? new Map<string, TopologyHint>();
    this.#hints.set(uid, hints.set(container.name, hint));
  }
}
