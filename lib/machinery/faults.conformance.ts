/** The errors that JavaScript throws because of a bug, not because of bad input. */
const FAULTS = [TypeError, RangeError, ReferenceError, SyntaxError, URIError, EvalError];

/** Runs code on untrusted input. Returns its value, or undefined if the code rejects the input. Rethrows errors that indicate a bug. */
export function valueOrRefusal<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Error) || FAULTS.some((fault) => error.constructor === fault)) throw error;
    return undefined;
  }
}
