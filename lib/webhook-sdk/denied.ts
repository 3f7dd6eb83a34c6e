import { admissionDenial, type StatusError } from '#lib/machinery/errors.ts';

/** What a webhook throws that says no: `message` is what the client reads. Default 403 Forbidden. */
export const denied = (
  message: string,
  { reason = 'Forbidden', code = 403 }: { readonly reason?: string; readonly code?: number } = {},
): StatusError => admissionDenial({ message, reason, code });
