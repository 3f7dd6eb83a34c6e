/** The numbers of a flow are doubles that hold integers. Sums up to 2^53 - 1 are exact. */
const LIMIT = Number.MAX_SAFE_INTEGER;

/**
 * The error for a number or sum that a double cannot hold exactly, or for bounds that no flow can satisfy. The message names the arc or
 * node.
 */
export class FlowRangeError extends RangeError {
  override readonly name = 'FlowRangeError';
}

/** Returns `value` if it is an integer within ±(2^53 - 1). Otherwise throws a FlowRangeError whose message begins with the subject. */
export function exact(value: number, subject: () => string): number {
  if (Number.isSafeInteger(value)) return value;
  throw new FlowRangeError(`${subject()}: ${value} is not an integer below 2^53`);
}

/** Returns a sum, or throws a FlowRangeError if the sum may have been rounded. The message begins with the subject. */
export function exactSum(sum: number, subject: () => string): number {
  if (Math.abs(sum) <= LIMIT) return sum;
  throw new FlowRangeError(`${subject()} beyond 2^53`);
}
