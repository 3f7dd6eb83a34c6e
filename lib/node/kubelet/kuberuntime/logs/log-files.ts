/** An open container log. It remains the same file when the log is rotated. */
export interface LogFile extends AsyncDisposable {
  /** Unique among the files of the directory. */
  readonly identity: string;
  /** The current size in bytes. */
  size(): Promise<number>;
  /** Up to `length` bytes from this position. Empty at the end. */
  read(at: number, length: number): Promise<Uint8Array>;
}

/** Watches a log's directory for changes. */
export interface LogWatch extends Disposable {
  /** Resolves after a change since the last call, after `milliseconds`, or when the signal aborts. */
  next(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** The logs of a node's containers. Links cannot lead out of their directory. */
export interface LogFiles {
  /** Throws Error with upstream's text if the log is missing, not a file, or outside of the directory. */
  open(path: string): Promise<LogFile>;
  /** The identity of the file that is now at the path, or undefined if there is none. */
  identity(path: string): Promise<string | undefined>;
  watch(path: string): LogWatch;
}
