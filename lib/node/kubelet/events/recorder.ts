import type { ObjectMeta } from '#lib/client/typed-client.ts';

/** An object that an event is about. Without a kind it is a Pod: a decoded object need not carry its own. */
export interface EventSubject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: Pick<ObjectMeta, 'name' | 'namespace' | 'uid' | 'resourceVersion'>;
}

/** Tells events in the kubelet's name. Never throws, and nothing waits for the write (upstream: record.EventRecorder). */
export interface NodeEventRecorder {
  /** `fieldPath` names a container: `spec.containers{app}`. */
  event(about: EventSubject, type: 'Normal' | 'Warning', reason: string, message: string, fieldPath?: string): void;
}
