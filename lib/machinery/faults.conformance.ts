/** The errors that JavaScript throws for a bug rather than for its input. */
const FAULTS = [TypeError, RangeError, ReferenceError, SyntaxError, URIError, EvalError];

/** Runs code on untrusted input. Returns its value, or undefined if the input is rejected. Rethrows the error of a bug. */
export function valueOrRefusal<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Error) || FAULTS.some((fault) => error.constructor === fault)) throw error;
    return undefined;
  }
}
