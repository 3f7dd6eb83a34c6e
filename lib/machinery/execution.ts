/** A program to run on the host without a shell. */
export interface Execution {
  readonly path: string;
  readonly args: readonly string[];
  /** Variables added to this process's environment. If a name repeats, the last value wins. */
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly stdin: string;
  /** The time in ms after which the program and its children are killed. */
  readonly timeout: number;
}

/** The result of a program. */
export interface ExecutionEnd {
  readonly stdout: Uint8Array;
  readonly stderr: string;
  /** The failure in Go's words, such as `exit status 1` or `context deadline exceeded`; undefined on success. */
  readonly failure?: string;
  /** Whether the program was killed because its output exceeded the port's limit. */
  readonly isTooLong?: boolean;
}

/** Runs a program. Never rejects. Output beyond the port's limit is a failure. */
export type RunProgram = (execution: Execution) => Promise<ExecutionEnd>;
