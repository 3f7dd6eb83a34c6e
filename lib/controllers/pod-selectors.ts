import { typedObject } from '#lib/api/typed.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import { type LabelSelector, matches } from '#lib/machinery/labels/selector.ts';
import { labelsOf, namespaceOf } from '#lib/machinery/meta.ts';
import { splitKey } from '#lib/machinery/namespaced-name.ts';

interface PodState {
  readonly labels: Record<string, string>;
  /** The other relevant state of the pod, as text. */
  readonly state: string;
}

/**
 * Maps a pod's change to the selecting objects (services, budgets) that it concerns: those that select the pod now, and those that did
 * before. It stores selectors, and the labels and the `stateOf` text of each pod. Other changes concern no object.
 */
export class PodSelectors {
  readonly #stateOf: (pod: Pod) => string;
  readonly #selectors = new Map<string, Map<string, LabelSelector>>();
  readonly #pods = new Map<string, PodState>();

  constructor(stateOf: (pod: Pod) => string) {
    this.#stateOf = stateOf;
  }

  /** Records the selector of an object. Undefined if it has none or was deleted. */
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

  /** Applies a change of a pod. Returns the affected objects as `namespace/name`. */
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

  /** The names of the objects that select a pod, in order. */
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
