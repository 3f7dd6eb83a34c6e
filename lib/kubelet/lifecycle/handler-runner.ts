import type { Container, LifecycleHandler, Pod } from '#lib/api/types/core.v1.ts';

/** Runs lifecycle hooks (upstream: container.HandlerRunner). */
export interface HandlerRunner {
  /** `containerID` without scheme. Throws Error whose message is that of the event FailedPostStartHook or FailedPreStopHook. */
  run(
    containerID: string,
    pod: Pod,
    container: Container,
    handler: LifecycleHandler,
    signal?: AbortSignal,
  ): Promise<void>;
}
