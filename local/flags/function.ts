import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { defined } from '#lib/machinery/defined.ts';
import type { StartOptions } from '../start-options.ts';

/** Flags for the user's functions. */
export interface FunctionFlags {
  readonly functions?: string;
  readonly functionTimeout: number;
  readonly functionMemory: number;
  readonly functionSecrets?: string;
}

/** Adds the flags to the command. */
export function functionFlags(command: Command): Command {
  return command
    .option(
      '--functions <path>',
      'a folder of reconcilers, webhooks and aggregated APIs, reloaded when you save a file',
    )
    .option('--function-timeout <number>', 'maximum duration of a call, in seconds', positive, 30)
    .option('--function-memory <number>', "maximum memory of a file's thread, in MiB", positive, 128)
    .option(
      '--function-secrets <path>',
      "the values of functions' secrets, YAML; only its owner may have rights on it",
    );
}

/** Reads the flags. */
export function functionsOf(
  flags: FunctionFlags,
): Pick<StartOptions, 'functionsFolder' | 'functionLimits' | 'functionSecrets'> {
  const { functions, functionTimeout, functionMemory, functionSecrets } = flags;
  if (functions === undefined) return {};
  return {
    functionsFolder: resolve(functions),
    functionLimits: { timeout: functionTimeout * 1000, memory: functionMemory },
    ...defined({ functionSecrets: functionSecrets === undefined ? undefined : resolve(functionSecrets) }),
  };
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 100_000)) throw new InvalidArgumentError('It is a number above 0.');
  return value;
}
