import type { PodSource } from '../types/pod-update.ts';

/** Which sources have told all their pods once: before, a pod that is not told may still be wanted (upstream: SourcesReady). */
export class SourcesReady {
  readonly #missing: Set<PodSource>;

  constructor(sources: readonly PodSource[]) {
    this.#missing = new Set(sources);
  }

  /** All pods of a source have been told and taken. */
  add(source: PodSource): void {
    this.#missing.delete(source);
  }

  get areAllReady(): boolean {
    return this.#missing.size === 0;
  }
}
