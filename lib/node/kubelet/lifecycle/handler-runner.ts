import type { Container, LifecycleHandler, Pod } from '#lib/api/types/core.v1.ts';

/** Runs lifecycle hooks (upstream: container.HandlerRunner). */
export interface HandlerRunner {
  /**
   * `containerID` has no scheme. Throws Error with upstream's message for the hook, for the container's status and the log. The events
   * FailedPostStartHook and FailedPreStopHook only contain `PostStartHook failed` and `PreStopHook failed`, because the message may contain
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
