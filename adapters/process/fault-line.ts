import { messageOfError } from '#lib/machinery/error-message.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { StoreError } from '#lib/storage/errors.ts';

/**
 * The log entry for an error. Only an unexpected error has a stack, because an API or store error does not point to a fault in the code. A
 * refusal (4xx), such as that of a missing namespace, is a warning.
 */
export function faultLine(error: unknown, fields: Readonly<Record<string, unknown>> = {}): object {
  const isAnswer = error instanceof StatusError || error instanceof StoreError;
  const level = error instanceof StatusError && error.code < 500 ? 'warning' : 'error';
  const { cause, stack } = error instanceof Error ? error : {};
  return {
    level,
    message: messageOfError(error),
    ...fields,
    ...(cause === undefined ? {} : { cause: String(cause) }),
    ...(isAnswer || stack === undefined ? {} : { stack }),
  };
}
