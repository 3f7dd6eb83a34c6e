import type { Container, LifecycleHandler, Pod } from '#lib/api/types/core.v1.ts';

/** Runs lifecycle hooks (upstream: container.HandlerRunner). */
export interface HandlerRunner {
  /**
   * `containerID` without scheme. Throws Error whose message is upstream's of the hook: it is for the container's status and the log. The
   * events FailedPostStartHook and FailedPreStopHook say `PostStartHook failed` and `PreStopHook failed` alone, for the message may hold
   * secrets of the server.
   */
  run(
    containerID: string,
    pod: Pod,
    container: Container,
    handler: LifecycleHandler,
    signal?: AbortSignal,
  ): Promise<void>;
}
