import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { durationText } from '#lib/machinery/duration.ts';
import { marshal } from '#lib/machinery/go.ts';
import { podText } from '../container/container-ref.ts';
import type { RuntimePodStatus } from '../container/runtime.ts';
import { KubeletError } from '../container/sync-result.ts';
import { Backoff } from '../util/flowcontrol/backoff.ts';
import { recordContainerEvent } from './container-events.ts';
import type { RuntimePorts } from './runtime-ports.ts';

/** Initial back-off of a container in milliseconds. */
const INITIAL = 10_000;
/** Time in ms after which a running container counts as recovered: ten minutes. */
const RECOVERED = 600_000;

/** The back-off of containers. `max` is the node's `crashLoopBackOff.maxContainerRestartPeriod` in milliseconds, five minutes by default. */
export const crashLoopBackoff = (clock: Pick<Clock, 'now'>, max = 300_000): Backoff =>
  new Backoff({ clock, initial: Math.min(INITIAL, max), max, expiresAfter: RECOVERED });

/**
 * Throws KubeletError CrashLoopBackOff if the container must not start yet after its recent exit. Otherwise counts one start (upstream:
 * doBackOff).
 */
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
  const text = durationText(BigInt(Math.round(delay * 1_000_000)));
  throw new KubeletError(
    'CrashLoopBackOff',
    `back-off ${text} restarting failed container=${container.name} pod=${podText(pod)}`,
    { backoffUntil: last.finishedAt + delay },
  );
}

/** The key of a container's back-off. A change of its image or resources resets the back-off (upstream: GetBackoffKey). */
export const backoffKey = (
  { metadata: { name = '', namespace = '', uid = '' } }: Pod,
  { name: container, image = '', resources }: Container,
): string => [name, namespace, uid, container, image, marshal(resources)].join('/');
