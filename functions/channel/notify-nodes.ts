import type { Clock } from '#lib/machinery/clock.ts';
import { deadline } from '#lib/machinery/wait/deadline.ts';
import type { NodeNotification, NotificationSender, NotifiedNodes } from '#lib/stream/notifications.ts';

/**
 * Time-out in ms for all notifications of an event. After the time-out, nodes without a notification learn of the change at their next
 * poll.
 */
const TIMEOUT = 10_000;

/**
 * Notifies nodes on behalf of the doorbell. Never rejects, because a rejection would repeat the notifications. A lost or repeated
 * notification does no harm.
 */
export async function notifyNodes(
  rings: readonly NodeNotification[],
  sender: Pick<NotificationSender, 'ring'>,
  clock: Clock,
): Promise<NotifiedNodes> {
  using late = deadline(TIMEOUT, { clock, error: () => new Error('out of time') });
  const results = await Promise.allSettled(rings.map((one) => sender.ring(one, late.signal)));
  const faults = results.filter((one) => one.status === 'rejected');
  const counts = { rung: rings.length - faults.length, faults: faults.length };
  return faults[0] === undefined ? counts : { ...counts, fault: faults[0].reason };
}
