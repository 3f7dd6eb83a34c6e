import type { ResourceRequirements } from '#lib/api/types/core.v1.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import { CheckpointFile } from '../checkpointmanager/checkpoint-file.ts';
import type { CheckpointStore } from '../checkpointmanager/checkpoint-store.ts';
import { decodePodResources, encodePodResources, type PodResourceInfo } from './checkpoint.ts';

/** The checkpoint of the resources allocated to pods. */
export const ALLOCATED_PODS_STATE = 'allocated_pods_state';
/** The checkpoint of the resources that containers last received. */
export const ACTUATED_PODS_STATE = 'actuated_pods_state';

/**
 * The resources of pods and their containers, restored after a restart of the agent (upstream: allocation/state). Setters change the memory
 * at once and reject if the checkpoint cannot be written. A removal is written with the next change.
 */
export class PodResourceState {
  readonly #file: CheckpointFile;
  readonly #pods: Map<string, PodResourceInfo>;
  #written: string;

  private constructor(file: CheckpointFile, pods: Map<string, PodResourceInfo>, written: string) {
    this.#file = file;
    this.#pods = pods;
    this.#written = written;
  }

  /** An empty state. Its first change replaces the checkpoint with this name. */
  static empty(store: CheckpointStore, name: string): PodResourceState {
    return new PodResourceState(new CheckpointFile(store, name), new Map(), '');
  }

  /** Reads the checkpoint with this name. Rejects with upstream's text if it is unusable. That text contains `directory`. */
  static async restore(store: CheckpointStore, name: string, directory: string): Promise<PodResourceState> {
    const file = new CheckpointFile(store, name);
    try {
      const bytes = await file.read();
      if (bytes === undefined) return PodResourceState.empty(store, name);
      return new PodResourceState(file, decodePodResources(bytes), Buffer.from(bytes).toString());
    } catch (error) {
      const remedy = `please drain this node and delete pod resource information checkpoint file ${quote(`${directory}/${name}`)} before restarting Kubelet`;
      throw new Error(`could not restore state from checkpoint: ${messageOfError(error)}, ${remedy}`, { cause: error });
    }
  }

  /** Uids of the known pods. */
  uids(): string[] {
    return [...this.#pods.keys()];
  }

  podResources(uid: string): PodResourceInfo | undefined {
    return this.#pods.get(uid);
  }

  containerResources(uid: string, container: string): ResourceRequirements | undefined {
    return this.#pods.get(uid)?.containers.get(container);
  }

  async setPodResources(uid: string, info: PodResourceInfo): Promise<void> {
    this.#pods.set(uid, info);
    await this.#store();
  }

  async setContainerResources(uid: string, container: string, resources: ResourceRequirements): Promise<void> {
    const { containers, pod } = this.#of(uid);
    await this.setPodResources(uid, { pod, containers: new Map([...containers, [container, resources]]) });
  }

  /** Sets the pod-level resources. */
  async setPodLevelResources(uid: string, pod: ResourceRequirements): Promise<void> {
    await this.setPodResources(uid, { ...this.#of(uid), pod });
  }

  removePod(uid: string): void {
    this.#pods.delete(uid);
  }

  /** Removes the pods that are not in the set. */
  removeOrphans(remaining: ReadonlySet<string>): void {
    for (const uid of this.#pods.keys()) if (!remaining.has(uid)) this.#pods.delete(uid);
  }

  #of(uid: string): PodResourceInfo {
    return this.#pods.get(uid) ?? { containers: new Map(), pod: undefined };
  }

  async #store(): Promise<void> {
    const text = encodePodResources(this.#pods);
    if (text === this.#written) return;
    await this.#file.write(text);
    this.#written = text;
  }
}
