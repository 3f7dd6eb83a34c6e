import { createHash } from 'node:crypto';
import type { Clock } from '#lib/machinery/clock.ts';
import type { Collector, Family } from './family.ts';
import { Value } from './value.ts';

interface ReloadsOptions {
  /** The kind of file, as in `apiserver_<of>_config_controller_…`. */
  readonly of: 'authentication' | 'authorization' | 'encryption';
  /** The server's name, unique among servers that share a storage. */
  readonly server: string;
  readonly clock: Clock;
}

/** Counts reloads of one configuration file, under upstream's names. */
export class ConfigReloads implements Collector {
  readonly #clock: Clock;
  readonly #server: string;
  readonly #prefix: string;
  readonly #total: Value;
  readonly #last: Value;
  #holds: string | undefined;

  constructor({ of, server, clock }: ReloadsOptions) {
    this.#clock = clock;
    this.#server = digest(server);
    this.#prefix = `apiserver_${of}_config_controller`;
    const labels = ['status', 'apiserver_id_hash'];
    this.#total = new Value({
      type: 'counter',
      name: `${this.#prefix}_automatic_reloads_total`,
      help: `Times that a changed file of ${of} was read again.`,
      labels,
    });
    this.#last = new Value({
      type: 'gauge',
      name: `${this.#prefix}_automatic_reload_last_timestamp_seconds`,
      help: `When a changed file of ${of} was last read again.`,
      labels,
    });
  }

  /** Records the text of the configuration that is in effect. */
  holds(text: string): void {
    this.#holds = digest(text);
  }

  succeeded(text: string): void {
    this.#count('success');
    this.holds(text);
  }

  failed(): void {
    this.#count('failure');
  }

  #count(status: 'success' | 'failure'): void {
    this.#total.add(1, [status, this.#server]);
    this.#last.set(this.#clock.now() / 1000, [status, this.#server]);
  }

  collect(): readonly Family[] {
    return [...this.#total.collect(), ...this.#last.collect(), this.#info()];
  }

  #info(): Family {
    const labels = { apiserver_id_hash: this.#server, hash: this.#holds ?? '' };
    const samples = this.#holds === undefined ? [] : [{ labels, value: 1 }];
    return {
      name: `${this.#prefix}_last_config_info`,
      help: 'The file that holds, by its hash.',
      type: 'gauge',
      samples,
    };
  }
}

const digest = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
