/** One request and its answer; upstream's httplog has these fields under other names. */
export interface RequestLine {
  readonly level: 'info' | 'error';
  readonly message: 'request';
  readonly auditId: string;
  readonly method: string;
  /** Path and query as sent, of bounded length; tokens in the query are redacted. */
  readonly uri: string;
  readonly status: number;
  readonly durationMs: number;
  /** Why the request failed (5xx), of bounded length; absent if the answer is that of another server. */
  readonly error?: string;
  /** Whose rights the request had. */
  readonly user: string;
  /** The user who acted as that user. */
  readonly impersonator?: string;
  readonly userAgent: string;
  readonly sourceIPs: readonly string[];
  /** Log positions that the request committed, `SEQUENCE@VERSION`; absent where it committed none. */
  readonly writes?: readonly string[];
}

/** Takes lines about requests. */
export interface RequestLog {
  /** True logs every request, false those that are slow, fail or commit something that `collect` tells. */
  readonly every: boolean;
  /** True: a request of the server's own parts, in process, is never slow. A process that runs all of them starts with hundreds at once. */
  readonly ownNeverSlow?: true;
  /** Runs a request. Resolves with its answer and the log positions that it committed. Absent: nobody knows them. */
  readonly collect?: <T>(run: () => Promise<T>) => Promise<readonly [T, readonly string[]]>;
  write(line: RequestLine): void;
}
