import type { Logger } from '#lib/client/controller/logger.ts';
import type { Notes } from '#lib/client/controller/notes.ts';
import type { Attempt, Observe } from '#lib/client/controller/observe.ts';
import { placeOf } from '#lib/client/controller/place-of.ts';
import type { Result } from '#lib/client/controller/reconciler.ts';
import { Interrupted } from '#lib/client/controller/thread-end.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { instantOf, microTimeText } from '#lib/machinery/time.ts';
import { type Invocation, type InvocationSink, type InvokedFor, type LogLine, shortened } from './invocation.ts';
import { keptFields } from './kept-fields.ts';

/** The ports of a recorder of invocations. */
export interface RecorderPorts {
  readonly clock: Clock;
  readonly sinks: readonly InvocationSink[];
  /** Receives the log lines of reconcilers, with the id of their invocation. */
  readonly log: Logger;
  nonce(): string;
  /** The object of a reconciler's key. Undefined if the key does not identify a single object. */
  objectOf(reconciler: string, key: string): InvokedFor | undefined;
  /** The platform's id of the request that includes the attempts. */
  readonly requestId?: string;
  /** Whether log lines are stored with the invocation. */
  readonly keepsLogs: boolean;
  /** Runs the attempt with this id. By default calls `run`. */
  within?<T>(id: string, run: () => Promise<T>): Promise<T>;
}

/** The maximum number of lines stored with an invocation. If there are more, the last ones are stored. */
const LINES = 50;

/** Records every attempt, regardless of its outcome. The exception is an interrupted attempt, because it is retried. */
export function invocationRecorder(ports: RecorderPorts): Observe {
  const { clock, sinks, nonce, within = (_id, run) => run() } = ports;
  return async (attempt, run) => {
    const id = nonce();
    const start = timeOf(clock);
    const since = clock.monotonic();
    const notebook = new Notebook(id, attempt, ports);
    const end = async (how: Ending): Promise<void> => {
      const durationMs = Math.round((clock.monotonic() - since) * 1000) / 1000;
      const invocation = { id, start, durationMs, ...described(attempt, ports), ...notebook.record(), ...how };
      for (const sink of sinks) await sink.record(invocation);
    };
    try {
      const result = await within(id, () => run(notebook));
      await end(endingOf(result));
      return result;
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      const at = placeOf(error);
      await end({ outcome: 'Error', message: shortened(messageOfError(error)), ...defined({ at }) });
      throw error;
    }
  };
}

const timeOf = (clock: Clock): string => microTimeText(instantOf(new Date(clock.now()))) ?? '';

type Ending = Pick<Invocation, 'outcome' | 'requeueAfterMs' | 'message' | 'at'>;

function endingOf(result: Result): Ending {
  if (result === undefined) return { outcome: 'Done' };
  if (result.terminal !== undefined) return { outcome: 'Terminal', message: shortened(result.terminal) };
  return { outcome: 'RequeueAfter', requeueAfterMs: result.requeueAfter };
}

function described({ reconciler, key, attempt, change }: Attempt, { requestId }: RecorderPorts) {
  const request = requestId === undefined ? {} : { requestId };
  return { type: 'Reconcile' as const, function: reconciler, key, attempt, ...defined({ change }), ...request };
}

/** The log lines and the object of one attempt. */
class Notebook implements Notes {
  readonly log: Logger;
  readonly #lines: LogLine[] = [];
  #object: InvokedFor | undefined;

  constructor(
    id: string,
    { reconciler, key, version, uid }: Attempt,
    { log, clock, keepsLogs, objectOf }: RecorderPorts,
  ) {
    const object = objectOf(reconciler, key);
    this.#object = object && {
      ...object,
      ...defined({ uid }),
      ...(version === undefined ? {} : { resourceVersion: String(version) }),
    };
    const known = { reconciler, namespace: object?.namespace, name: object?.name };
    const line =
      (level: LogLine['level']): Logger['info'] =>
      (message, fields = {}) => {
        if (keepsLogs)
          this.#keep({ time: timeOf(clock), level, message: shortened(message), ...keptFields(fields, known) });
        log[level](message, { reconciler, ...fields, invocation: id });
      };
    this.log = { info: line('info'), error: line('error') };
  }

  read({ uid, resourceVersion }: Parameters<Notes['read']>[0]): void {
    if (this.#object === undefined) return;
    const state = {
      ...defined({ uid, resourceVersion }),
    };
    this.#object = { ...this.#object, ...state };
  }

  record(): Pick<Invocation, 'object' | 'logs'> {
    return {
      ...defined({ object: this.#object }),
      ...(this.#lines.length === 0 ? {} : { logs: this.#lines }),
    };
  }

  #keep(line: LogLine): void {
    if (this.#lines.length === LINES) this.#lines.shift();
    this.#lines.push(line);
  }
}
