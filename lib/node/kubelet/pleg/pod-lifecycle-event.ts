/** A change of a container that a listing of the runtime shows (upstream: PodLifecycleEvent). */
export interface PodLifecycleEvent {
  readonly uid: string;
  /** `ContainerRemoved` changes nothing of a pod; `PodSync` is a change that no other kind tells. */
  readonly type: 'ContainerStarted' | 'ContainerDied' | 'ContainerRemoved' | 'ContainerChanged' | 'PodSync';
  /** Without scheme; absent for `PodSync`. */
  readonly containerID?: string;
}
