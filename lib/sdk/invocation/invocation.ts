import type { JsonObject } from '#lib/machinery/json-value.ts';

/** One line that a function logged while it ran. */
export interface LogLine {
  /** The time in RFC 3339. */
  readonly time: string;
  readonly level: 'info' | 'error';
  readonly message: string;
  /** The line's other fields, shortened: at most 16, objects as JSON. */
  readonly fields?: JsonObject;
}

/** The known parts of the object that a function was invoked for. */
export interface InvokedFor {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty if the kind is cluster-scoped. */
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
  /** The version that the function read, or the version of the change that triggered it. */
  readonly resourceVersion?: string;
}

/** The outcome: done until the next change, requeued, failed permanently, failed with a retry, or denied by a webhook. */
export type InvocationOutcome = 'Done' | 'RequeueAfter' | 'Terminal' | 'Error' | 'Denied';

/** One call of a function, recorded when it has ended. */
export interface Invocation {
  /** The id. Log lines of the call contain it as `invocation`. */
  readonly id: string;
  readonly type: 'Reconcile' | 'Webhook';
  /** The reconciler's or webhook's name. */
  readonly function: string;
  /** The key that a reconciler was called with. */
  readonly key?: string;
  readonly object?: InvokedFor;
  /** The platform's id of the request that included this call. */
  readonly requestId?: string;
  /** The attempt number, starting at 1. */
  readonly attempt: number;
  /** The log position `SEQUENCE@VERSION` of the change that caused it, if any. */
  readonly change?: string;
  /** The start time in RFC 3339 with microseconds. */
  readonly start: string;
  readonly durationMs: number;
  readonly outcome: InvocationOutcome;
  readonly requeueAfterMs?: number;
  /** The reason for a failure or denial, at most 1,024 characters. */
  readonly message?: string;
  /** The location of the failure, `file:line:column` of the function's own source, if known. */
  readonly at?: string;
  /** The log lines, if they are stored with the invocation. */
  readonly logs?: readonly LogLine[];
}

/** Receives every invocation. The caller awaits the promise of `record`, which never rejects. */
export interface InvocationSink {
  record(invocation: Invocation): void | Promise<void>;
}

/** The maximum length of a message in characters. */
const MESSAGE = 1024;

/** The message, truncated to that length. */
export const shortened = (text: string): string => (text.length > MESSAGE ? `${text.slice(0, MESSAGE - 1)}…` : text);

/** Whether the invocation failed, permanently or with a retry. */
export const hasFailed = ({ outcome }: Pick<Invocation, 'outcome'>): boolean =>
  outcome === 'Terminal' || outcome === 'Error';
