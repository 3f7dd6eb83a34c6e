import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { containerFieldPath } from '../container/container-ref.ts';
import type { RuntimePorts } from './runtime-ports.ts';

/** An event about a container. */
export interface ContainerEvent {
  readonly pod: Pod;
  readonly container: Pick<Container, 'name'>;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** Replaced with the container's name in the message, so that similar events aggregate. */
  readonly containerID?: string;
}

/** Records an event about a container of a pod (upstream: recordContainerEvent). */
export function recordContainerEvent({ recorder }: Pick<RuntimePorts, 'recorder'>, event: ContainerEvent): void {
  const { pod, container, type, reason, message, containerID = '' } = event;
  const text = containerID === '' ? message : message.replaceAll(containerID, container.name);
  recorder.event(pod, type, reason, text, containerFieldPath(pod, container));
}
