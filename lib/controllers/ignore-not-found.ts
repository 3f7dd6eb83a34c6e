import { StatusError } from '#lib/machinery/errors.ts';

/** What a write finds gone needs it no more; every other error is thrown. */
export function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof StatusError) || error.reason !== 'NotFound') throw error;
}
