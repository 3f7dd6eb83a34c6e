import type { Clock } from '#lib/machinery/clock.ts';
import type { DockerConfig } from '../docker-config.ts';

/** The time in ms between two clean-ups. */
const PURGE_INTERVAL = 15 * 60_000;

interface Entry {
  readonly credentials: DockerConfig;
  /** The expiry time in ms since 1970. */
  readonly expiresAt: number;
}

/** The credentials that a plugin returned, each cached for the duration that the plugin specified. */
export class CredentialCache {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #entries = new Map<string, Entry>();
  #purged: number;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
    this.#purged = clock.now();
  }

  /** The credentials for the first key that has some. */
  first(keys: readonly string[]): DockerConfig | undefined {
    this.#purge();
    for (const key of keys) {
      const entry = this.#entries.get(key);
      if (entry === undefined) continue;
      if (!this.#isExpired(entry)) return entry.credentials;
      this.#entries.delete(key);
    }
    return undefined;
  }

  /** Adds credentials. `duration` is in ms. */
  add(key: string, credentials: DockerConfig, duration: number): void {
    this.#entries.set(key, { credentials, expiresAt: this.#clock.now() + duration });
  }

  #isExpired({ expiresAt }: Entry): boolean {
    return this.#clock.now() > expiresAt;
  }

  #purge(): void {
    const now = this.#clock.now();
    if (now <= this.#purged + PURGE_INTERVAL) return;
    this.#purged = now;
    for (const [key, entry] of this.#entries) if (this.#isExpired(entry)) this.#entries.delete(key);
  }
}
