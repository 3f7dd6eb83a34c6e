/** A container by its pod and name. */
export interface ContainerRef {
  readonly podUID: string;
  readonly containerName: string;
}

/** Containers by the runtime's ids (upstream: containermap). */
export class ContainerMap {
  readonly #refs: Map<string, ContainerRef>;

  constructor(refs: Iterable<readonly [string, ContainerRef]> = []) {
    this.#refs = new Map(refs);
  }

  /** A copy that changes on its own. */
  clone(): ContainerMap {
    return new ContainerMap(this.#refs);
  }

  add(podUID: string, containerName: string, containerID: string): void {
    this.#refs.set(containerID, { podUID, containerName });
  }

  removeByContainerID(containerID: string): void {
    this.#refs.delete(containerID);
  }

  /** Removes one id of the container. */
  removeByContainerRef(podUID: string, containerName: string): void {
    const id = this.containerID(podUID, containerName);
    if (id !== undefined) this.#refs.delete(id);
  }

  /** The id that the container has; undefined where it has none. */
  containerID(podUID: string, containerName: string): string | undefined {
    for (const [id, ref] of this.#refs) if (ref.podUID === podUID && ref.containerName === containerName) return id;
    return undefined;
  }

  /** The container that has the id. */
  containerRef(containerID: string): ContainerRef | undefined {
    return this.#refs.get(containerID);
  }

  /** All containers, as they are now. */
  refs(): ContainerRef[] {
    return [...this.#refs.values()];
  }
}
