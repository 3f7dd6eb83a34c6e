import type { AuditEvent } from './event.ts';

/** The destination of events: upstream's audit.Backend. */
export interface AuditSink {
  /** Resolves with false if the events were lost and their request must not continue. Never rejects. */
  process(events: readonly AuditEvent[]): Promise<boolean>;
  /** Waits until all received events are written or abandoned. */
  flush(): Promise<void>;
  /** Flushes the sink. Later events are lost. */
  close(): Promise<void>;
}

/** Reports to the operator which events a sink lost, and why. */
export type ReportLoss = (sink: string, error: unknown, events: readonly AuditEvent[]) => void;

/** Passes every event to every sink. */
export function unionSink(sinks: readonly AuditSink[]): AuditSink {
  const [first] = sinks;
  if (sinks.length === 1 && first !== undefined) return first;
  return {
    process: async (events) => (await Promise.all(sinks.map((sink) => sink.process(events)))).every(Boolean),
    flush: async () => void (await Promise.all(sinks.map((sink) => sink.flush()))),
    close: async () => void (await Promise.all(sinks.map((sink) => sink.close()))),
  };
}

/** Returns a sink whose losses do not fail a request: the mode `blocking`. */
export function ignoringLoss(sink: AuditSink): AuditSink {
  return {
    process: async (events) => {
      await sink.process(events);
      return true;
    },
    flush: () => sink.flush(),
    close: () => sink.close(),
  };
}
