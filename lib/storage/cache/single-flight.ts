/**
 * Shares one query among concurrent readers. A reader joins a query only if that query starts after the reader came, else
 * it could miss a write that was acknowledged between the two: who comes during a query waits for the next one.
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
