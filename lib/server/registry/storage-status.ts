import {
  badRequest,
  expired,
  internalError,
  requestEntityTooLarge,
  StatusError,
  serviceUnavailable,
  timeout,
  tooLargeResourceVersion,
  tooManyRequests,
} from '#lib/machinery/errors.ts';
import type { StoreError } from '#lib/storage/errors.ts';

/** The only place that converts storage errors into API errors. */
export function statusError(error: StoreError): StatusError {
  switch (error.code) {
    case 'Expired':
      return expired(error.message);
    case 'TooLarge':
      return requestEntityTooLarge(error.message);
    case 'FutureVersion':
      return tooLargeResourceVersion(error.requested ?? 0, error.head ?? 0);
    case 'InvalidContinue':
      return badRequest(`invalid continue token: ${error.message}`);
    case 'Overloaded':
      return tooManyRequests('the server has received too many requests and has asked us to try again later', 1);
    case 'Unavailable':
      return timeout('request did not complete within requested timeout', 1);
    case 'NoSpace': // clients come again by themselves; upstream's etcd refuses without asking them to
    case 'UnknownFormat': // a deployment is under way: the next try may reach a program that reads it
    case 'Refused': // who operates this must see to it, or new credentials are on their way
      return serviceUnavailable(error.message, 5);
    case 'Closed':
      return serviceUnavailable(error.message);
    case 'Corrupt':
    case 'Undecryptable':
      return internalError(error.message);
    default:
      return unknown(error.code);
  }
}

function unknown(code: never): never {
  throw new TypeError(`unknown store error ${String(code)}`);
}
