/** The numbers of a flow are doubles that hold integers: up to 2^53 - 1 every sum of them is exact. */
const LIMIT = Number.MAX_SAFE_INTEGER;

/** A number or sum that a double cannot hold exactly, or bounds that no flow can keep. The message names the arc or node. */
export class FlowRangeError extends RangeError {
  override readonly name = 'FlowRangeError';
}

/** Returns `value` if it is an integer within ±(2^53 - 1); throws a FlowRangeError that begins with the subject otherwise. */
export function exact(value: number, subject: () => string): number {
  if (Number.isSafeInteger(value)) return value;
  throw new FlowRangeError(`${subject()}: ${value} is not an integer below 2^53`);
}

/** Returns a sum, or throws a FlowRangeError that begins with the subject if the sum may have been rounded. */
export function exactSum(sum: number, subject: () => string): number {
  if (Math.abs(sum) <= LIMIT) return sum;
  throw new FlowRangeError(`${subject()} beyond 2^53`);
}
