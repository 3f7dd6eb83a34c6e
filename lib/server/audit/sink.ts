import type { AuditEvent } from './event.ts';

/** Where events go: upstream's audit.Backend. */
export interface AuditSink {
  /** False where these events were lost and the request that they tell of must not go on. Never rejects. */
  process(events: readonly AuditEvent[]): Promise<boolean>;
  /** Waits until all that was given is written, or given up. */
  flush(): Promise<void>;
  /** Flushes; what comes later is lost. */
  close(): Promise<void>;
}

/** Tells the operator of events that a sink lost, and why. */
export type ReportLoss = (sink: string, error: unknown, events: readonly AuditEvent[]) => void;

/** Every event to every sink. */
export function unionSink(sinks: readonly AuditSink[]): AuditSink {
  const [first] = sinks;
  if (sinks.length === 1 && first !== undefined) return first;
  return {
    process: async (events) => (await Promise.all(sinks.map((sink) => sink.process(events)))).every(Boolean),
    flush: async () => void (await Promise.all(sinks.map((sink) => sink.flush()))),
    close: async () => void (await Promise.all(sinks.map((sink) => sink.close()))),
  };
}

/** A sink whose losses fail no request: the mode `blocking`. */
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
