/**
 * Shares one query among concurrent readers. A reader joins only a query that starts after the reader's arrival, because it could otherwise
 * miss a write acknowledged in between. Readers that arrive during a query wait for the next one.
 */
export class SingleFlight {
  readonly #query: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(query: () => Promise<void>) {
    this.#query = query;
  }

  run(): Promise<void> {
    if (this.#running === undefined) return this.#start();
    this.#next ??= this.#running.then(
      () => this.#start(),
      () => this.#start(),
    );
    return this.#next;
  }

  #start(): Promise<void> {
    this.#next = undefined;
    const running = this.#query().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }
}
