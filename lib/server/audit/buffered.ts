import type { Clock } from '#lib/machinery/clock.ts';
import { TokenBucket } from '#lib/machinery/token-bucket.ts';
import type { AuditEvent } from './event.ts';
import type { AuditSink, ReportLoss } from './sink.ts';

/** The limits of the mode `batch`. */
export interface BatchOptions {
  /** The maximum number of queued events. Further events are lost. */
  readonly bufferSize: number;
  readonly maxBatchSize: number;
  /** The maximum time in ms that a batch waits to become full. */
  readonly maxBatchWait: number;
  /** The rate of batches per second, and the burst. If absent, the rate is not limited. */
  readonly throttle?: { readonly qps: number; readonly burst: number };
  /** Whether a batch may be sent while another is in flight. */
  readonly overlaps: boolean;
}

/** The ports of a BufferedSink. */
export interface BufferedPorts {
  readonly delegate: AuditSink;
  readonly clock: Clock;
  readonly reportLoss: ReportLoss;
}

/** The maximum number of batches in flight. Further events wait in the buffer, and are lost if it is full. */
const MAX_OVERLAP = 32;

/**
 * Buffers events and passes them to the delegate independently of the response: the mode `batch`. It has no timer while the buffer is
 * empty.
 */
export class BufferedSink implements AuditSink {
  readonly #options: BatchOptions;
  readonly #ports: BufferedPorts;
  readonly #bucket: TokenBucket | undefined;
  readonly #sending = new Set<Promise<unknown>>();
  readonly #waiting: AuditEvent[] = [];
  #draining: Promise<void> | undefined;
  #gathering: AbortController | undefined;
  #flushes = 0;
  #closed = false;

  constructor(options: BatchOptions, ports: BufferedPorts) {
    this.#options = options;
    this.#ports = ports;
    this.#bucket = options.throttle && new TokenBucket({ ...options.throttle, clock: ports.clock });
  }

  async process(events: readonly AuditEvent[]): Promise<boolean> {
    const room = this.#closed ? 0 : Math.max(this.#options.bufferSize - this.#waiting.length, 0);
    this.#waiting.push(...events.slice(0, room));
    const lost = events.slice(room);
    if (lost.length > 0) {
      const why = this.#closed ? 'audit backend shut down' : 'audit buffer queue blocked';
      this.#ports.reportLoss('buffered', new Error(why), lost);
    }
    if (this.#waiting.length > 0) this.#draining ??= this.#drain();
    if (this.#waiting.length >= this.#options.maxBatchSize) this.#gathering?.abort();
    return true;
  }

  async flush(): Promise<void> {
    this.#flushes++;
    this.#gathering?.abort();
    try {
      await this.#draining;
      await Promise.all(this.#sending);
    } finally {
      this.#flushes--;
    }
    await this.#ports.delegate.flush();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.flush();
    await this.#ports.delegate.close();
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      await this.#bucket?.take();
      const batch = this.#waiting.splice(0, this.#options.maxBatchSize);
      const sent = this.#ports.delegate.process(batch);
      this.#sending.add(sent);
      void sent.finally(() => this.#sending.delete(sent));
      if (!this.#options.overlaps) await sent;
      else if (this.#sending.size >= MAX_OVERLAP) await Promise.race(this.#sending);
    }
    this.#draining = undefined;
  }

  /** Waits until the batch is full, its maximum wait is over, or it is flushed. */
  async #gather(): Promise<void> {
    const { maxBatchSize, maxBatchWait } = this.#options;
    if (this.#waiting.length >= maxBatchSize || this.#flushes > 0) return;
    this.#gathering = new AbortController();
    await this.#ports.clock.sleep(maxBatchWait, this.#gathering.signal);
    this.#gathering = undefined;
  }
}
