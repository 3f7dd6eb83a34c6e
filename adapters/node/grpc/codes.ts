import { status } from '@grpc/grpc-js';
import type { RpcCode } from '#lib/machinery/rpc.ts';

const NUMBERS: Readonly<Record<RpcCode, status>> = {
  OK: status.OK,
  Canceled: status.CANCELLED,
  Unknown: status.UNKNOWN,
  InvalidArgument: status.INVALID_ARGUMENT,
  DeadlineExceeded: status.DEADLINE_EXCEEDED,
  NotFound: status.NOT_FOUND,
  AlreadyExists: status.ALREADY_EXISTS,
  PermissionDenied: status.PERMISSION_DENIED,
  ResourceExhausted: status.RESOURCE_EXHAUSTED,
  FailedPrecondition: status.FAILED_PRECONDITION,
  Aborted: status.ABORTED,
  OutOfRange: status.OUT_OF_RANGE,
  Unimplemented: status.UNIMPLEMENTED,
  Internal: status.INTERNAL,
  Unavailable: status.UNAVAILABLE,
  DataLoss: status.DATA_LOSS,
  Unauthenticated: status.UNAUTHENTICATED,
};

const NAMES: ReadonlyMap<number, string> = new Map(Object.entries(NUMBERS).map(([name, number]) => [number, name]));

const isCode = (name: string | undefined): name is RpcCode => name !== undefined && Object.hasOwn(NUMBERS, name);

/** The number of a code on the wire. */
export const codeNumber = (code: RpcCode): status => NUMBERS[code];

/** The code for a number on the wire. Unknown for a number that gRPC does not define. */
export function codeOf(number: number): RpcCode {
  const name = NAMES.get(number);
  return isCode(name) ? name : 'Unknown';
}
