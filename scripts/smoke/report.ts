import { messageOfError } from '#lib/machinery/error-message.ts';
import { StatusError } from '#lib/machinery/errors.ts';

/** One requirement on a deployment. */
export interface Check {
  /** A statement about the deployment: subject first, present tense. */
  readonly says: string;
  /** Why the check is skipped. */
  readonly skipped?: string;
  /** Resolves with a detail, or throws if the check fails. */
  run(): Promise<string | void>;
}

/** Thrown by a check that cannot run; the message is the reason. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

/** Runs all checks sequentially, and prints a line for each. Resolves with the number of failures. */
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

/** The error on one line. */
function textOf(error: unknown): string {
  const text = error instanceof StatusError ? `${error.code} ${error.message}` : messageOfError(error);
  return text.replaceAll(/\s+/g, ' ').slice(0, 500);
}
