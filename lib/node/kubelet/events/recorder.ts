import type { ObjectMeta } from '#lib/client/typed-client.ts';

/** The object of an event. Without a kind it is a Pod, because decoded objects may lack theirs. */
export interface EventSubject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: Pick<ObjectMeta, 'name' | 'namespace' | 'uid' | 'resourceVersion'>;
}

/** Records events on behalf of the kubelet. Never throws, and does not wait for the write (upstream: record.EventRecorder). */
export interface NodeEventRecorder {
  /** `fieldPath` names a container: `spec.containers{app}`. */
  event(about: EventSubject, type: 'Normal' | 'Warning', reason: string, message: string, fieldPath?: string): void;
}
