import { badRequest, invalid } from '#lib/machinery/errors.ts';
import { parseTime, TimeError, timeText } from '#lib/machinery/time.ts';
import { type FieldError, FieldPath, forbidden, invalid as invalidField } from '#lib/machinery/validation/field.ts';
import { NEGATIVE } from '#lib/machinery/validation/messages.ts';
import { isTrue } from '#lib/server/request/request-info.ts';

const FLAGS = ['follow', 'previous', 'timestamps'] as const;
const NUMBERS = ['sinceSeconds', 'tailLines', 'limitBytes'] as const;
const ZERO = 'must be greater than 0';

/** The requested `PodLogOptions`, and the kubelet's query for them. */
export interface LogOptions {
  readonly container: string;
  /** Whether to skip verifying the kubelet's certificate. */
  readonly insecure: boolean;
  /** Whether the log continues until the container ends. */
  readonly follow: boolean;
  /** The kubelet's query, with sorted keys. */
  readonly query: string;
}

/** Reads the options of a request for a pod's log. Throws 400 if one does not parse, and 422 if one is out of range. */
export function logOptions(query: URLSearchParams, pod: string): LogOptions {
  const params = new URLSearchParams();
  for (const name of FLAGS) if (isTrue(query.get(name))) params.set(name, 'true');
  const numbers = new Map<string, bigint>();
  for (const name of NUMBERS) {
    const value = query.get(name);
    if (value !== null) numbers.set(name, int64(value));
  }
  for (const [name, value] of numbers) params.set(name, String(value));
  const since = timeOf(query.get('sinceTime'));
  if (since !== undefined) params.set('sinceTime', since);
  const errors = faults(numbers, since !== undefined, query.has('stream'));
  if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, pod, errors);
  params.sort();
  return {
    container: query.get('container') ?? '',
    insecure: isTrue(query.get('insecureSkipTLSVerifyBackend')),
    follow: isTrue(query.get('follow')),
    query: String(params),
  };
}

/** Upstream's ValidatePodLogOptions, without the alpha feature PodLogsQuerySplitStreams. */
function faults(numbers: ReadonlyMap<string, bigint>, hasTime: boolean, hasStream: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const below = (name: string, least: bigint, why: string): void => {
    const value = numbers.get(name);
    if (value !== undefined && value < least) errors.push(invalidField(FieldPath.of(name), value, why));
  };
  below('tailLines', 0n, NEGATIVE);
  below('limitBytes', 1n, ZERO);
  if (numbers.has('sinceSeconds') && hasTime)
    errors.push(forbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  else below('sinceSeconds', 1n, ZERO);
  if (hasStream) errors.push(forbidden(FieldPath.of('stream'), 'may not be specified'));
  return errors;
}

function int64(value: string): bigint {
  if (!/^[+-]?\d+$/.test(value)) throw badRequest(`strconv.ParseInt: parsing "${value}": invalid syntax`);
  const number = BigInt(value.replace(/^\+/, ''));
  if (BigInt.asIntN(64, number) !== number)
    throw badRequest(`strconv.ParseInt: parsing "${value}": value out of range`);
  return number;
}

/** Returns the time in seconds as RFC 3339. Undefined if absent. */
function timeOf(value: string | null): string | undefined {
  if (value === null || value === '' || value === 'null') return undefined;
  try {
    return timeText(parseTime(value)) ?? undefined;
  } catch (error) {
    if (error instanceof TimeError) throw badRequest(error.message);
    throw error;
  }
}
