import type { ProbeKind, ProbeResult, ProbeUpdate } from './probe-manager.ts';

/** A container's ID without the runtime's scheme. */
export const bareID = (containerID: string): string =>
  containerID.slice(containerID.indexOf('://') + 1).replace(/^\/\//, '');

/** The latest results of one kind of probe, by container (upstream: results.Manager). */
export class ProbeResults {
  readonly #kind: ProbeKind;
  readonly #updated: (update: ProbeUpdate) => void;
  readonly #results = new Map<string, ProbeResult>();

  /** `updated` is called with each result that differs from the previous one. */
  constructor(kind: ProbeKind, updated: (update: ProbeUpdate) => void) {
    this.#kind = kind;
    this.#updated = updated;
  }

  /** The latest result of a container, with or without the runtime's scheme in its ID. */
  get(containerID: string): ProbeResult | undefined {
    return this.#results.get(bareID(containerID));
  }

  /** Stores a result, and reports it if it is new. */
  set(containerID: string, result: ProbeResult, podUID: string): void {
    const id = bareID(containerID);
    if (this.#results.get(id) === result) return;
    this.#results.set(id, result);
    this.#updated({ containerID, result, podUID, kind: this.#kind });
  }

  /** Removes a container's result without a report. */
  remove(containerID: string): void {
    this.#results.delete(bareID(containerID));
  }
}
