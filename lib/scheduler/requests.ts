import type { Client } from '#lib/client/client.ts';

/** How many are under way at once: what waits together is written together. */
const MOST = 100;

/** Requests of the scheduler that were not answered yet. Who waits for something else than an answer is not among them. */
export class Requests {
  #open = 0;
  readonly #waiting = new Set<() => void>();

  /** The client, whose requests are counted here. */
  of(client: Client): Client {
    return {
      ...client,
      get: (ref, options) => this.#during(client.get(ref, options)),
      list: (resource, options) => this.#during(client.list(resource, options)),
      create: (resource, object, subresource) => this.#during(client.create(resource, object, subresource)),
      update: (ref, object, subresource) => this.#during(client.update(ref, object, subresource)),
      patch: (ref, patch, subresource) => this.#during(client.patch(ref, patch, subresource)),
      delete: (ref, request) => this.#during(client.delete(ref, request)),
    };
  }

  /** Resolves when more may be begun. */
  async room(): Promise<void> {
    while (this.#open >= MOST) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  async #during<T>(request: Promise<T>): Promise<T> {
    this.#open++;
    try {
      return await request;
    } finally {
      this.#open--;
      for (const resolve of this.#waiting) resolve();
      this.#waiting.clear();
    }
  }
}
