import * as z from 'zod';
import type { SecretReference } from '#lib/client/controller/function-settings.ts';
import type { Logger } from '#lib/client/controller/logger.ts';
import type { Clock } from '#lib/machinery/clock.ts';

/** The variable that holds the references to a function's secrets, as JSON keyed by secret name. */
export const SECRETS = 'DAVIT_SECRETS';

/** Time in ms after which an invocation reads the values again. */
const AGE = 5 * 60_000;
/** Delay in ms before a failed refresh of the values is retried. */
const PAUSE = 30_000;

const references = z.record(
  z.string(),
  z.strictObject({ secret: z.string().optional(), key: z.string().optional(), parameter: z.string().optional() }),
);

/** The ports of a function's secrets. */
export interface UsersSecretsPorts {
  /** The function's environment, to which the values are added. */
  readonly environment: Record<string, string | undefined>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Rejects with a one-line reason that contains no value. */
  read(reference: SecretReference): Promise<string>;
}

/**
 * Adds the secrets of a function to its environment. Reads them at the first invocation, before the user's file is loaded, and again at the
 * first invocation after five minutes.
 */
export class UsersSecrets {
  readonly #ports: UsersSecretsPorts;
  readonly #references: readonly (readonly [string, SecretReference])[];
  #due = 0;
  #isKnown = false;

  /** Throws if the references are invalid. */
  constructor(ports: UsersSecretsPorts) {
    this.#ports = ports;
    this.#references = Object.entries(references.parse(JSON.parse(ports.environment[SECRETS] ?? '{}')));
  }

  /** Rejects if a value was never read. Keeps the previous values if a refresh fails. */
  async refresh(): Promise<void> {
    const { clock, environment, log } = this.#ports;
    if (clock.now() < this.#due) return;
    try {
      const values = await Promise.all(this.#references.map(([name, reference]) => this.#value(name, reference)));
      for (const [i, [name]] of this.#references.entries()) environment[name] = values[i];
      this.#isKnown = true;
      this.#due = clock.now() + AGE;
    } catch (error) {
      if (!this.#isKnown) throw error;
      this.#due = clock.now() + PAUSE;
      log.error('secrets are not read again', { error: error instanceof Error ? error.message : '' });
    }
  }

  async #value(name: string, reference: SecretReference): Promise<string> {
    const place = reference.secret ?? reference.parameter ?? '';
    return this.#ports.read(reference).catch((error: unknown) => {
      throw new Error(`secret ${name}: ${place}: ${error instanceof Error ? error.message : 'no reason'}`);
    });
  }
}
