import type { Apiserver } from '#functions/apiserver/wiring.ts';
import type { Clock } from '#lib/machinery/clock.ts';

export interface ControllersOptions {
  readonly authority: string;
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  reportFault(auditId: string, error: unknown): void;
}

/** Runs the built-in reconcilers of `lib/controllers` until closed. */
export async function runControllers(
  _server: Apiserver,
  _options: ControllersOptions,
): Promise<{ close(): Promise<void> }> {
  return { close: async () => {} };
}
