/** A change of a container between two listings of the runtime (upstream: PodLifecycleEvent). */
export interface PodLifecycleEvent {
  readonly uid: string;
  /** `ContainerRemoved` does not change the pod. `PodSync` is any other change. */
  readonly type: 'ContainerStarted' | 'ContainerDied' | 'ContainerRemoved' | 'ContainerChanged' | 'PodSync';
  /** The id without scheme. Absent for `PodSync`. */
  readonly containerID?: string;
}
