import { messageOfError } from '#lib/machinery/error-message.ts';
import { StatusError } from '#lib/machinery/errors.ts';

/** One thing that a deployment must do. */
export interface Check {
  /** Said of the deployment: subject first, present tense. */
  readonly says: string;
  /** Why it is not asked. */
  readonly skipped?: string;
  /** Resolves with a detail, or throws if the check fails. */
  run(): Promise<string | void>;
}

/** Thrown by a check that cannot run; the message is the reason. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

/** Runs all checks one after another, and prints a line for each. Resolves with the number of failures. */
export async function runChecks(checks: readonly Check[], print: (line: string) => void): Promise<number> {
  let failed = 0;
  for (const { says, skipped, run } of checks) {
    if (skipped !== undefined) {
      print(`skipped  ${says} (${skipped})`);
      continue;
    }
    const begun = performance.now();
    try {
      const detail = await run();
      const took = `${Math.round(performance.now() - begun)} ms`;
      print(`ok       ${says} (${detail === undefined ? took : `${detail}, ${took}`})`);
    } catch (error) {
      if (error instanceof Skipped) print(`skipped  ${says} (${error.message})`);
      else {
        failed++;
        print(`FAILED   ${says}: ${textOf(error)}`);
      }
    }
  }
  return failed;
}

/** The error in one line. */
function textOf(error: unknown): string {
  const text = error instanceof StatusError ? `${error.code} ${error.message}` : messageOfError(error);
  return text.replaceAll(/\s+/g, ' ').slice(0, 500);
}
