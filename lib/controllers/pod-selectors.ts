import { typedObject } from '#lib/api/typed.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import { splitKey } from '#lib/client/split-key.ts';
import { type LabelSelector, matches } from '#lib/machinery/labels/selector.ts';
import { labelsOf, namespaceOf } from '#lib/machinery/meta.ts';

interface PodState {
  readonly labels: Record<string, string>;
  /** The rest of the pod that matters, as text. */
  readonly state: string;
}

/**
 * Which selecting objects (services, budgets) a pod's change concerns: those that select it, and those that did before. Knows
 * selectors, and of each pod its labels and what `stateOf` says of it: a change of anything else concerns nobody.
 */
export class PodSelectors {
  readonly #stateOf: (pod: Pod) => string;
  readonly #selectors = new Map<string, Map<string, LabelSelector>>();
  readonly #pods = new Map<string, PodState>();

  constructor(stateOf: (pod: Pod) => string) {
    this.#stateOf = stateOf;
  }

  /** Notes how an object selects; undefined where it does not, or is gone. */
  set({ namespace, name }: Pick<ObjectChange, 'namespace' | 'name'>, selector: LabelSelector | undefined): void {
    const known = this.#selectors.get(namespace) ?? new Map<string, LabelSelector>();
    if (selector === undefined) known.delete(name);
    else known.set(name, selector);
    if (known.size === 0) this.#selectors.delete(namespace);
    else this.#selectors.set(namespace, known);
  }

  has({ namespace, name }: Pick<ObjectChange, 'namespace' | 'name'>): boolean {
    return this.#selectors.get(namespace)?.has(name) ?? false;
  }

  /** Takes a change of a pod: `namespace/name` of what it concerns. */
  take(change: ObjectChange): readonly string[] {
    const { namespace, name, type } = change;
    const key = `${namespace}/${name}`;
    const before = this.#pods.get(key);
    const now = type === 'DELETED' ? undefined : this.#known(typedObject(PODS, change.object()));
    if (now === undefined) this.#pods.delete(key);
    else this.#pods.set(key, now);
    if (before?.state === now?.state) return [];
    const both = [before, now].filter((one) => one !== undefined);
    return this.#names(namespace, (selector) => both.some(({ labels }) => matches(selector, labels)));
  }

  #known(pod: Pod): PodState {
    const labels = labelsOf(pod);
    return { labels, state: JSON.stringify([labels, this.#stateOf(pod)]) };
  }

  /** Names of the objects that select a pod, in their order. */
  selecting(pod: Pod): readonly string[] {
    const labels = labelsOf(pod);
    return this.#names(namespaceOf(pod), (selector) => matches(selector, labels))
      .map((key) => splitKey(key).name)
      .sort();
  }

  #names(namespace: string, selects: (selector: LabelSelector) => boolean): string[] {
    return [...(this.#selectors.get(namespace) ?? [])]
      .filter(([, selector]) => selects(selector))
      .map(([name]) => `${namespace}/${name}`);
  }
}
