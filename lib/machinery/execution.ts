/** A program of the host, as it is run without a shell. */
export interface Execution {
  readonly path: string;
  readonly args: readonly string[];
  /** Added to the environment of this process; the last of a name counts. */
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly stdin: string;
  /** Milliseconds after which it is killed, with the programs that it has started. */
  readonly timeout: number;
}

/** How a program ended. */
export interface ExecutionEnd {
  readonly stdout: Uint8Array;
  readonly stderr: string;
  /** In Go's words: `exit status 1`, `context deadline exceeded`; undefined where it ended well. */
  readonly failure?: string;
  /** It was killed because it wrote more than the bounds of the port. */
  readonly isTooLong?: boolean;
}

/** Runs a program. Never rejects; output beyond the bounds of the port fails it. */
export type RunProgram = (execution: Execution) => Promise<ExecutionEnd>;
