/** The kind of a step in a sync. */
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
  /** The error of a failed step. Absent for a successful one. */
  readonly error?: KubeletError;
}

/** The results of a pod's sync. `error` is a failure of the whole sync. */
export interface PodSyncResult {
  readonly results: readonly SyncResult[];
  readonly error?: KubeletError;
}

/**
 * A failure with a kubelet reason, such as `CrashLoopBackOff`, `ErrImagePull`, `CreateContainerConfigError` or `RunContainerError`. A
 * waiting container shows this reason.
 */
export class KubeletError extends Error {
  override readonly name = 'KubeletError';
  readonly reason: string;
  /** The end of a back-off in milliseconds since 1970. A retry before that is useless. */
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
