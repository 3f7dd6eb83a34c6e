import { StatusError } from '#lib/machinery/errors.ts';
import { StoreError } from '#lib/storage/errors.ts';
import { asStatusError, statusResponse } from '../status-response.ts';
import type { Filter } from './filter.ts';

/** Every refusal becomes a Status here, and nowhere else. An unknown fault is reported and answered with the audit id only. */
export const panicRecovery: Filter = (next, ports) => async (request, state) => {
  try {
    return await next(request, state);
  } catch (error) {
    if (!(error instanceof StatusError) && !(error instanceof StoreError)) ports.reportFault(state.auditId, error);
    return statusResponse(asStatusError(error, state.auditId), request);
  }
};
