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
  /** A look or a collection failed; the next is in five minutes. */
  onFault(error: unknown): void;
}

/** Milliseconds between collections (upstream: ImageGCPeriod). */
const PERIOD = 5 * 60_000;

/** Collects images each five minutes until the signal aborts. From the second failure in a row on, each is an event ImageGCFailed. */
export async function runImageGC(options: RunImageGCOptions, signal: AbortSignal): Promise<void> {
  const { manager, recorder, node, clock, onFault } = options;
  for (let failures = 0; !signal.aborted; await clock.sleep(PERIOD, signal))
    try {
      // Ages count even where nothing is collected: the eviction manager may ask for space.
      await (manager.enabled ? manager.garbageCollect() : manager.detectImages());
      failures = 0;
    } catch (error) {
      onFault(error);
      if (manager.enabled && failures++ > 0) recorder.event(node, 'Warning', 'ImageGCFailed', messageOfError(error));
    }
}
