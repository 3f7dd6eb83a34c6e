import { StatusError } from '#lib/machinery/errors.ts';
import { StoreError, type StoreErrorCode } from '#lib/storage/errors.ts';
import { asStatusError, statusResponse } from '../status-response.ts';
import type { Filter } from './filter.ts';

/** Errors that clients should retry, or that their requests caused. All others are reported to the operator. */
const EXPECTED: ReadonlySet<StoreErrorCode> = new Set([
  'Closed',
  'Expired',
  'FutureVersion',
  'InvalidContinue',
  'Overloaded',
  'TooLarge',
]);

const isFault = (error: unknown): boolean =>
  error instanceof StoreError ? !EXPECTED.has(error.code) : !(error instanceof StatusError);

/** Converts every error to a Status. No other filter does. Reports an unknown fault, and returns only the audit id to the client. */
export const panicRecovery: Filter = (next, ports) => async (context) => {
  try {
    return await next(context);
  } catch (error) {
    const { request, auditId, outcome } = context;
    outcome.error = error;
    if (isFault(error)) ports.reportFault(auditId, error);
    return statusResponse(asStatusError(error, auditId), request);
  }
};
