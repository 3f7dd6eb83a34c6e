import type { ObjectReference } from '#lib/api/types/core.v1.ts';
import type { Event } from '#lib/api/types/events.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { ObjectMeta } from '../typed-client.ts';

/** The API's maximum length of a note in characters. */
const NOTE_LIMIT = 1024;

/** The object that an event is about. */
export interface Regarding {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Pick<ObjectMeta, 'name' | 'namespace' | 'uid' | 'resourceVersion'>;
}

/** The content of an event. */
export interface EventText {
  readonly type: 'Normal' | 'Warning';
  /** The reason in one word: `Created`. */
  readonly reason: string;
  /** The action that was taken or attempted, in one word. */
  readonly action: string;
  readonly note: string;
  /** Another object that the event is about. */
  readonly related?: Regarding;
}

/** Creates the event for the first occurrence. `time` is RFC 3339 with microseconds. */
export function newEvent(
  { name, time, controller }: { readonly name: string; readonly time: string | null; readonly controller: string },
  regarding: Regarding,
  { type, reason, action, note, related }: EventText,
): Event {
  return {
    metadata: { namespace: namespaceOf(regarding), name },
    eventTime: time,
    reportingController: controller,
    reportingInstance: controller,
    action,
    reason,
    regarding: referenceTo(regarding),
    ...defined({ related: related && referenceTo(related) }),
    note: note.slice(0, NOTE_LIMIT),
    type,
    deprecatedSource: {},
    deprecatedFirstTimestamp: null,
    deprecatedLastTimestamp: null,
  };
}

/** The namespace of an event. Events about cluster-scoped objects are in `default`. */
const namespaceOf = ({ metadata: { namespace = '' } }: Regarding): string => (namespace === '' ? 'default' : namespace);

function referenceTo({ apiVersion, kind, metadata }: Regarding): ObjectReference {
  const { name = '', namespace = '', uid = '', resourceVersion = '' } = metadata;
  return { kind, ...(namespace === '' ? {} : { namespace }), name, uid, apiVersion, resourceVersion };
}
