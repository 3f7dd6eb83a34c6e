/** The kind of a step of a sync. */
export type SyncAction =
  | 'StartContainer'
  | 'KillContainer'
  | 'InitContainer'
  | 'CreatePodSandbox'
  | 'ConfigPodSandbox'
  | 'KillPodSandbox'
  | 'ResizePodInPlace'
  | 'RemoveContainer';

/** One step of a sync. */
export interface SyncResult {
  readonly action: SyncAction;
  /** The name of the container, or the pod's uid for steps of a sandbox. */
  readonly target: string;
  /** Why it failed; absent for a step that went well. */
  readonly error?: KubeletError;
}

/** The results of a sync of a pod. `error` is a failure of the sync as a whole. */
export interface PodSyncResult {
  readonly results: readonly SyncResult[];
  readonly error?: KubeletError;
}

/**
 * A failure with one of the kubelet's reasons, as `CrashLoopBackOff`, `ErrImagePull`, `CreateContainerConfigError` or `RunContainerError`:
 * the reason is what a waiting container shows.
 */
export class KubeletError extends Error {
  override readonly name = 'KubeletError';
  readonly reason: string;
  /** The end of a back-off, milliseconds since 1970: before it, another try is in vain. */
  readonly backoffUntil: number | undefined;

  constructor(reason: string, message: string, { backoffUntil, ...options }: KubeletErrorOptions = {}) {
    super(message, options);
    this.reason = reason;
    this.backoffUntil = backoffUntil;
  }
}

/** The options of a KubeletError. */
export interface KubeletErrorOptions extends ErrorOptions {
  readonly backoffUntil?: number | undefined;
}
