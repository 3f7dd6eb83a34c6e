import type { PodSource } from '../types/pod-update.ts';

/** Tracks which sources have delivered all their pods once. Until then, an unknown pod may still be desired (upstream: SourcesReady). */
export class SourcesReady {
  readonly #missing: Set<PodSource>;

  constructor(sources: readonly PodSource[]) {
    this.#missing = new Set(sources);
  }

  /** Called when all pods of a source were delivered and handled. */
  add(source: PodSource): void {
    this.#missing.delete(source);
  }

  get areAllReady(): boolean {
    return this.#missing.size === 0;
  }
}
