import type { Clock } from '#lib/machinery/clock.ts';
import type { EventSubject, NodeEventRecorder } from '../events/recorder.ts';
import { OOMParser } from './oom-parser.ts';

/** Interval in ms between checks of the kernel's log. */
const PERIOD = 5000;

/** The kernel's log. */
export interface KernelLog {
  /**
   * The messages since the previous call, oldest first. The first call returns everything that the kernel still has. Throws if the log
   * cannot be read.
   */
  read(): readonly string[];
}

/** The ports of a watcher. */
export interface OOMWatcherOptions {
  readonly log: KernelLog;
  readonly clock: Clock;
  readonly recorder: NodeEventRecorder;
  /** The Node, for events. */
  readonly node: EventSubject;
  /** Called when the log cannot be read. No further kills are reported. */
  onFault(error: unknown): void;
}

/**
 * Records an event for each process that was killed because the machine ran out of memory, until the signal aborts (upstream: oom.Watcher).
 */
export async function watchOOMs(options: OOMWatcherOptions, signal: AbortSignal): Promise<void> {
  const { log, clock, recorder, node } = options;
  const parser = new OOMParser();
  while (!signal.aborted) {
    try {
      for (const message of log.read()) {
        const oom = parser.take(message);
        if (oom?.victim !== '/') continue;
        const text = `System OOM encountered, victim process: ${oom.process}, pid: ${oom.pid}`;
        recorder.event(node, 'Warning', 'SystemOOM', text);
      }
    } catch (error) {
      return options.onFault(error);
    }
    await clock.sleep(PERIOD, signal);
  }
}
