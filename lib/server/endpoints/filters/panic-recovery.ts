import { StatusError } from '#lib/machinery/errors.ts';
import { StoreError, type StoreErrorCode } from '#lib/storage/errors.ts';
import { asStatusError, statusResponse } from '../status-response.ts';
import type { Filter } from './filter.ts';

/** Errors that clients are to repeat, or that their requests caused. All others are reported to the operator. */
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

/** Every refusal becomes a Status here, and nowhere else. An unknown fault is reported and answered with the audit id only. */
export const panicRecovery: Filter = (next, ports) => async (request, state) => {
  try {
    return await next(request, state);
  } catch (error) {
    state.error = error;
    if (isFault(error)) ports.reportFault(state.auditId, error);
    return statusResponse(asStatusError(error, state.auditId), request);
  }
};
