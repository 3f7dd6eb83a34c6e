import type { Client } from '#lib/client/client.ts';

/** The maximum number of concurrent requests. Requests that wait together are written together. */
const MOST = 100;

/** Counts the scheduler's requests that are in flight. Watches and other waits do not count. */
export class Requests {
  #open = 0;
  readonly #waiting = new Set<() => void>();

  /** Wraps the client to count its requests. */
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

  /** Whether another request may start now. */
  get hasRoom(): boolean {
    return this.#open < MOST;
  }

  /** Resolves when another request may start. */
  async room(): Promise<void> {
    while (!this.hasRoom) await new Promise<void>((resolve) => this.#waiting.add(resolve));
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
