import type { RequestDigest } from '../rule.ts';

type Info = RequestDigest['info'];

const NODE_NAME = /(?:^|,)spec\.nodeName==?[^,]/;

/** Counts open watches by the objects that they select: upstream's watch tracker. */
export class WatchTracker {
  readonly #watches = new Map<string, number>();

  /** Counts a watch until the returned function is called, which must happen once. Does not count watches of one node's pods. */
  add(info: Info, query: URLSearchParams): () => void {
    if (info.resource === 'pods' && NODE_NAME.test(query.get('fieldSelector') ?? '')) return () => {};
    const key = keyOf(info, info.namespace, info.name);
    this.#change(key, 1);
    return () => this.#change(key, -1);
  }

  /** The number of watches that may receive a change of this object. */
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
