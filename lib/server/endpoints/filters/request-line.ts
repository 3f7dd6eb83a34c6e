/** One request and its response. Upstream's httplog has these fields under other names. */
export interface RequestLine {
  readonly level: 'info' | 'error';
  readonly message: 'request';
  readonly auditId: string;
  readonly method: string;
  /** Path and query as sent, of bounded length. Tokens in the query are redacted. */
  readonly uri: string;
  readonly status: number;
  readonly durationMs: number;
  /** Why the request failed (5xx), of bounded length. Absent if another server responded. */
  readonly error?: string;
  /** The user whose rights the request had. */
  readonly user: string;
  /** The real user that impersonated that user. */
  readonly impersonator?: string;
  readonly userAgent: string;
  readonly sourceIPs: readonly string[];
  /** Log positions that the request committed, `SEQUENCE@VERSION`. Absent if it committed none. */
  readonly writes?: readonly string[];
}

/** Receives lines about requests. */
export interface RequestLog {
  /** True logs every request. False logs those that are slow, fail or commit something according to `collect`. */
  readonly every: boolean;
  /**
   * If true, in-process requests from the server's own components never count as slow. A process that runs all of them starts with hundreds
   * at once.
   */
  readonly ownNeverSlow?: true;
  /** Runs a request. Resolves with its response and the log positions that it committed. Absent if the positions are unknown. */
  readonly collect?: <T>(run: () => Promise<T>) => Promise<readonly [T, readonly string[]]>;
  write(line: RequestLine): void;
}
