/** A container's log that is open. It stays the same file when the log is rotated. */
export interface LogFile extends AsyncDisposable {
  /** Differs from that of any other file of the folder. */
  readonly identity: string;
  /** Bytes now. */
  size(): Promise<number>;
  /** Up to `length` bytes from there; none at the end. */
  read(at: number, length: number): Promise<Uint8Array>;
}

/** Tells of changes in a log's folder. */
export interface LogWatch extends Disposable {
  /** Resolves after a change since the last call, after `milliseconds`, or when the signal aborts. */
  next(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** The logs of a node's containers. No link leads out of their folder. */
export interface LogFiles {
  /** Throws Error with upstream's text where the log is missing, no file, or elsewhere. */
  open(path: string): Promise<LogFile>;
  /** The identity of the file that has the path now; undefined where there is none. */
  identity(path: string): Promise<string | undefined>;
  watch(path: string): LogWatch;
}
