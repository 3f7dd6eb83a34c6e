import { createHash } from 'node:crypto';
import { EVENTSV1_EVENTS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { ignore } from '#lib/client/ignore.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { instantOf, microTimeText } from '#lib/machinery/time.ts';

/** A warning, as upstream's recorder takes it. */
export interface Warning {
  readonly reason: string;
  readonly action: string;
  readonly note: string;
}

interface Recording {
  readonly client: Client;
  readonly clock: Clock;
  /** The controller that reports it. */
  readonly reporter: string;
}

/** The object that a warning is about. */
export interface Regarding {
  readonly apiVersion: string;
  readonly kind: string;
  readonly object: JsonObject;
}

/**
 * Creates one event for a fault: its name follows from its content, so that the same fault found again, after a crash or in
 * another process, gives the same name. Events of objects without a namespace are in `default`.
 */
export async function recordWarning(
  { client, clock, reporter }: Recording,
  { apiVersion, kind, object }: Regarding,
  { reason, action, note }: Warning,
): Promise<void> {
  const scope = namespaceOf(object);
  const namespace = scope === '' ? 'default' : scope;
  const about = createHash('sha256')
    .update([reporter, uidOf(object), reason, note].join('\n'))
    .digest('hex');
  const event: JsonObject = {
    metadata: { namespace, name: `${nameOf(object)}.${about.slice(0, 16)}` },
    eventTime: microTimeText(instantOf(new Date(clock.now()))),
    reportingController: reporter,
    reportingInstance: reporter,
    type: 'Warning',
    reason,
    action,
    note,
    regarding: {
      kind,
      apiVersion,
      ...(scope === '' ? {} : { namespace: scope }),
      name: nameOf(object),
      uid: uidOf(object),
      resourceVersion: resourceVersionOf(object),
    },
  };
  await client.create(EVENTSV1_EVENTS, event).catch(ignoreExpected);
}

/** Ignores that the event exists, or that its namespace is being deleted. */
const ignoreExpected = ignore('AlreadyExists', 'Forbidden', 'NotFound');
