import type { KubernetesObject } from '#lib/client/typed-client.ts';

/** Tells events in the kubelet's name. Never throws, and nothing waits for the write (upstream: record.EventRecorder). */
export interface NodeEventRecorder {
  /** `fieldPath` names a container: `spec.containers{app}`. */
  event(about: KubernetesObject, type: 'Normal' | 'Warning', reason: string, message: string, fieldPath?: string): void;
}
