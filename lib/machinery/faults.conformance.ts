/** The errors that JavaScript throws for a fault of the program, not of its input. */
const FAULTS = [TypeError, RangeError, ReferenceError, SyntaxError, URIError, EvalError];

/** Runs something on untrusted input: its value, or undefined where it is refused. A fault of the program goes on. */
export function valueOrRefusal<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Error) || FAULTS.some((fault) => error.constructor === fault)) throw error;
    return undefined;
  }
}
