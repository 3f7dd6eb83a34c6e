import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { durationText } from '#lib/machinery/duration.ts';
import { marshal } from '#lib/machinery/go.ts';
import { podText } from '../container/container-ref.ts';
import type { RuntimePodStatus } from '../container/runtime.ts';
import { KubeletError } from '../container/sync-result.ts';
import { recordContainerEvent } from './container-events.ts';
import type { RuntimePorts } from './runtime-ports.ts';

/** Throws KubeletError CrashLoopBackOff where the container ended so recently that it must not start yet; else counts one start (upstream: doBackOff). */
export function doBackOff(
  ports: Pick<RuntimePorts, 'backoff' | 'recorder'>,
  pod: Pod,
  container: Container,
  { containerStatuses }: Pick<RuntimePodStatus, 'containerStatuses'>,
): void {
  const last = containerStatuses.find(({ name, state }) => name === container.name && state === 'exited');
  if (last === undefined) return;
  const { backoff } = ports;
  const key = backoffKey(pod, container);
  if (!backoff.isInBackOffSince(key, last.finishedAt)) {
    backoff.next(key, last.finishedAt);
    return;
  }
  const message = `Back-off restarting failed container ${container.name} in pod ${podText(pod)}`;
  recordContainerEvent(ports, { pod, container, type: 'Warning', reason: 'BackOff', message });
  const delay = backoff.get(key);
  const text = durationText(BigInt(delay) * 1_000_000n);
  throw new KubeletError(
    'CrashLoopBackOff',
    `back-off ${text} restarting failed container=${container.name} pod=${podText(pod)}`,
    { backoffUntil: last.finishedAt + delay },
  );
}

/** The key of a container's back-off: a change of its image or resources starts over (upstream: GetBackoffKey). */
export const backoffKey = (
  { metadata: { name = '', namespace = '', uid = '' } }: Pod,
  { name: container, image = '', resources }: Container,
): string => [name, namespace, uid, container, image, marshal(resources)].join('/');
