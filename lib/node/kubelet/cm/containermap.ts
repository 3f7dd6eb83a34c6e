/** A container by its pod and name. */
export interface ContainerRef {
  readonly podUID: string;
  readonly containerName: string;
}

/** Containers by their runtime id (upstream: containermap). */
export class ContainerMap {
  readonly #refs: Map<string, ContainerRef>;

  constructor(refs: Iterable<readonly [string, ContainerRef]> = []) {
    this.#refs = new Map(refs);
  }

  /** An independent copy. */
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

  /** The id of the container, or undefined if it has none. */
  containerID(podUID: string, containerName: string): string | undefined {
    for (const [id, ref] of this.#refs) if (ref.podUID === podUID && ref.containerName === containerName) return id;
    return undefined;
  }

  /** The container with this id. */
  containerRef(containerID: string): ContainerRef | undefined {
    return this.#refs.get(containerID);
  }

  /** A snapshot of all containers. */
  refs(): ContainerRef[] {
    return [...this.#refs.values()];
  }
}
