import { messageOfError } from '#lib/machinery/error-message.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { StoreError } from '#lib/storage/errors.ts';

/**
 * The log entry for an error. Only an unexpected error includes a stack, because an API or store error does not indicate a bug. A rejection
 * (4xx), for example because a namespace does not exist, is a warning.
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
