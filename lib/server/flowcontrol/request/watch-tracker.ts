import type { RequestDigest } from '../rule.ts';

type Info = RequestDigest['info'];

const NODE_NAME = /(?:^|,)spec\.nodeName==?[^,]/;

/** Counts the watches that are open, by what they see: upstream's watch tracker. */
export class WatchTracker {
  readonly #watches = new Map<string, number>();

  /** Counts a watch until the function that is given back is called, once. Pods of one node are watched at no cost. */
  add(info: Info, query: URLSearchParams): () => void {
    if (info.resource === 'pods' && NODE_NAME.test(query.get('fieldSelector') ?? '')) return () => {};
    const key = keyOf(info, info.namespace, info.name);
    this.#change(key, 1);
    return () => this.#change(key, -1);
  }

  /** How many watches may be told of a change of this object. */
  interested(info: Info): number {
    if (this.#watches.size === 0) return 0;
    const everywhere = this.#at(keyOf(info, '', ''));
    const inNamespace = info.namespace === '' ? 0 : this.#at(keyOf(info, info.namespace, ''));
    return everywhere + inNamespace + (info.name === '' ? 0 : this.#at(keyOf(info, info.namespace, info.name)));
  }

  #at(key: string): number {
    return this.#watches.get(key) ?? 0;
  }

  #change(key: string, by: 1 | -1): void {
    const watches = this.#at(key) + by;
    if (watches === 0) this.#watches.delete(key);
    else this.#watches.set(key, watches);
  }
}

const keyOf = ({ group, resource }: Info, namespace: string, name: string): string =>
  `${group}/${resource}/${namespace}/${name}`;
