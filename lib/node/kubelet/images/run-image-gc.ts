import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import type { EventSubject, NodeEventRecorder } from '../events/recorder.ts';
import type { ImageGCManager } from './image-gc-manager.ts';

/** The ports of the loop. */
export interface RunImageGCOptions {
  readonly manager: ImageGCManager;
  readonly recorder: NodeEventRecorder;
  /** The Node, for events. */
  readonly node: EventSubject;
  readonly clock: Clock;
  /** Called when a check or a collection failed. The next one follows in five minutes. */
  onFault(error: unknown): void;
}

/** Interval between collections in milliseconds (upstream: ImageGCPeriod). */
const PERIOD = 5 * 60_000;

/**
 * Collects images every five minutes until the signal aborts. Records an event ImageGCFailed for each consecutive failure after the first.
 */
export async function runImageGC(options: RunImageGCOptions, signal: AbortSignal): Promise<void> {
  const { manager, recorder, node, clock, onFault } = options;
  for (let failures = 0; !signal.aborted; await clock.sleep(PERIOD, signal))
    try {
      // Image ages are tracked even without collections, because the eviction manager may request space.
      await (manager.enabled ? manager.garbageCollect() : manager.detectImages());
      failures = 0;
    } catch (error) {
      onFault(error);
      if (manager.enabled && failures++ > 0) recorder.event(node, 'Warning', 'ImageGCFailed', messageOfError(error));
    }
}
