import { admissionDenial, type StatusError } from '#lib/machinery/errors.ts';

/** Thrown by a webhook to deny a request. The client sees `message`. Default 403 Forbidden. */
export const denied = (
  message: string,
  { reason = 'Forbidden', code = 403 }: { readonly reason?: string; readonly code?: number } = {},
): StatusError => admissionDenial({ message, reason, code });
