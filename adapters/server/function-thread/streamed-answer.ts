import type { ApiResponse } from '#lib/server/endpoints/api.ts';

/** Signals to the thread that sends the response. */
interface AnswerPorts {
  more(): void;
  abort(): void;
}

/** The response of an API in another thread, whose body arrives in chunks. At most one chunk is buffered here. */
export class StreamedAnswer implements AsyncIterableIterator<Uint8Array, undefined> {
  readonly #ports: AnswerPorts;
  readonly #head = Promise.withResolvers<ApiResponse>();
  readonly #ended = Promise.withResolvers<void>();
  #chunk: Uint8Array | undefined;
  #isBegun = false;
  #waiting: PromiseWithResolvers<IteratorResult<Uint8Array, undefined>> | undefined;
  /** How the response ended: `true` if it is complete. */
  #end: Error | true | undefined;

  constructor(ports: AnswerPorts) {
    this.#ports = ports;
  }

  get head(): Promise<ApiResponse> {
    return this.#head.promise;
  }

  /** Whether the head has arrived. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** Resolves when no more chunks follow. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  begin({ status, headers }: Pick<ApiResponse, 'status' | 'headers'>): void {
    this.#isBegun = true;
    this.#head.resolve({ status, headers, body: this });
  }

  take(bytes: Uint8Array): void {
    if (this.#end !== undefined) return;
    if (this.#waiting === undefined) this.#chunk = bytes;
    else {
      this.#ports.more();
      this.#settle()?.resolve({ done: false, value: bytes });
    }
  }

  end(): void {
    this.#finish(true);
  }

  fail(error: Error): void {
    this.#head.reject(error);
    this.#finish(error);
  }

  /** Stops the response because its reader stopped. This is not an error. */
  stop(): void {
    if (this.#end === undefined) this.#ports.abort();
    this.#chunk = undefined;
    this.#head.reject(new Error('nobody waits for this any more'));
    this.#finish(true);
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const value = this.#chunk;
    if (value !== undefined) {
      this.#chunk = undefined;
      this.#ports.more();
      return Promise.resolve({ done: false, value });
    }
    if (this.#end === true) return Promise.resolve({ done: true, value: undefined });
    if (this.#end !== undefined) return Promise.reject(this.#end);
    this.#waiting = Promise.withResolvers();
    return this.#waiting.promise;
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.stop();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #finish(end: Error | true): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#ended.resolve();
    const waiting = this.#settle();
    if (end === true) waiting?.resolve({ done: true, value: undefined });
    else waiting?.reject(end);
  }

  #settle() {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting;
  }
}
