import { createHash } from 'node:crypto';
import type { Client } from '#lib/client/client.ts';
import { ignore } from '#lib/client/ignore.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { instantOf, microTimeText } from '#lib/machinery/time.ts';

const EVENTS: GroupVersionResource = { group: 'events.k8s.io', version: 'v1', resource: 'events' };

/** A warning, as upstream's recorder takes it. */
export interface Warning {
  readonly reason: string;
  readonly action: string;
  readonly note: string;
}

interface Recording {
  readonly client: Client;
  readonly clock: Clock;
  /** The controller that tells. */
  readonly reporter: string;
}

export interface Regarding {
  readonly apiVersion: string;
  readonly kind: string;
  readonly object: JsonObject;
}

/**
 * Tells of a fault once: the event's name follows from what it says, so that who finds the same again, after a crash or in
 * another process, finds the event too. Objects of the cluster have their events in `default`.
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
  await client.create(EVENTS, event).catch(ignoreExpected);
}

/** Told already, or the namespace ends and takes no more events. */
const ignoreExpected = ignore('AlreadyExists', 'Forbidden', 'NotFound');
