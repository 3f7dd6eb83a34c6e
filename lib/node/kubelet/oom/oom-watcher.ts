import type { Clock } from '#lib/machinery/clock.ts';
import type { EventSubject, NodeEventRecorder } from '../events/recorder.ts';
import { OOMParser } from './oom-parser.ts';

/** Milliseconds between looks at the kernel's log. */
const PERIOD = 5000;

/** The log of the kernel. */
export interface KernelLog {
  /** The messages since the call before, the oldest first; at first all that the kernel still has. Throws where the log cannot be read. */
  read(): readonly string[];
}

/** The ports of a watcher. */
export interface OOMWatcherOptions {
  readonly log: KernelLog;
  readonly clock: Clock;
  readonly recorder: NodeEventRecorder;
  /** The Node, about which events tell. */
  readonly node: EventSubject;
  /** The log cannot be read: no kill is told any more. */
  onFault(error: unknown): void;
}

/** Tells an event of each process that was killed because the machine ran out of memory, until the signal aborts (upstream: oom.Watcher). */
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
