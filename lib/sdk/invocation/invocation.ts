import type { JsonObject } from '#lib/machinery/json-value.ts';

/** One line that a function logged while it ran. */
export interface LogLine {
  /** RFC 3339. */
  readonly time: string;
  readonly level: 'info' | 'error';
  readonly message: string;
  /** Its other fields, shortened: at most 16, objects as JSON. */
  readonly fields?: JsonObject;
}

/** The object that a function was invoked for, as far as it is known. */
export interface InvokedFor {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty where the kind has none. */
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
  /** The state that the function read, or the change that woke it. */
  readonly resourceVersion?: string;
}

/**
 * How it ended: done until the next change; to be looked at again by itself; failed for good; failed, to be tried again; of a
 * webhook: said no.
 */
export type InvocationOutcome = 'Done' | 'RequeueAfter' | 'Terminal' | 'Error' | 'Denied';

/** One call of a function, after its end. */
export interface Invocation {
  /** Names it; lines that it logged have it as `invocation`. */
  readonly id: string;
  readonly type: 'Reconcile' | 'Webhook';
  /** The reconciler's or webhook's name. */
  readonly function: string;
  /** Of a reconciler: what it was asked to look at, in its own words. */
  readonly key?: string;
  readonly object?: InvokedFor;
  /** The platform's name of the request that this was a part of. */
  readonly requestId?: string;
  /** 1 at first. */
  readonly attempt: number;
  /** The log position of the change that is the reason, `SEQUENCE@VERSION`, where one is. */
  readonly change?: string;
  /** RFC 3339, microseconds. */
  readonly start: string;
  readonly durationMs: number;
  readonly outcome: InvocationOutcome;
  readonly requeueAfterMs?: number;
  /** Why, of what did not end well; at most 1,024 characters. */
  readonly message?: string;
  /** Where it failed, `file:line:column` of the function's own source, as far as that is known. */
  readonly at?: string;
  /** Where they are kept with the invocation. */
  readonly logs?: readonly LogLine[];
}

/** Receives every invocation. The caller awaits the promise; `record` never throws. */
export interface InvocationSink {
  record(invocation: Invocation): void | Promise<void>;
}

/** Characters of a message that are kept. */
const MESSAGE = 1024;

/** The message, cut to the length that is kept. */
export const shortened = (text: string): string => (text.length > MESSAGE ? `${text.slice(0, MESSAGE - 1)}…` : text);

/** Whether the invocation failed, for good or until a retry. */
export const hasFailed = ({ outcome }: Pick<Invocation, 'outcome'>): boolean =>
  outcome === 'Terminal' || outcome === 'Error';
