import type { TestOptions } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Why the test is skipped. `scripts/tally.ts` reads it. */
    skipped?: string;
  }
}

/**
 * Options for a test or suite that is skipped unless `holds`. Prints the reason. For CI, test/allowed-skips.json must contain the reason.
 */
export function skipUnless(holds: boolean, reason: string): TestOptions {
  if (holds) return {};
  console.log(`skipped: ${reason}`);
  return { skip: true, meta: { skipped: reason } };
}

/**
 * Options for a test or suite that uses these clients. Each argument is the result of a client's installer, or the reason why it is
 * missing. The test is skipped if a client is missing. With DAVIT_REQUIRE_CLIENTS, which CI sets, it fails instead.
 */
export function needing(...clients: readonly (object | string | undefined)[]): TestOptions {
  const reasons = clients.flatMap((client) => missingOf(client) ?? []);
  const reason = `missing client: ${reasons.join('; ')}`;
  if (reasons.length > 0 && process.env['DAVIT_REQUIRE_CLIENTS'] !== undefined) throw new Error(reason);
  return skipUnless(reasons.length === 0, reason);
}

function missingOf(client: object | string | undefined): string | undefined {
  if (typeof client !== 'object') return client;
  return 'missing' in client && typeof client.missing === 'string' ? client.missing : undefined;
}
