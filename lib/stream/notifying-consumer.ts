import { loggedChange } from '#lib/client/controller/object-change.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import type { Consumer } from './consumer.ts';
import type { Notifications } from './notifications.ts';
import { attempt } from './sending.ts';

/**
 * Wraps a consumer to notify nodes of its changes after their delivery. Notifications have no separate cursor. A change that is delivered
 * twice notifies twice, and a dead letter notifies no node.
 */
export const withNotifications = (consumer: Consumer, rings: Pick<Notifications, 'take'>): Consumer => ({
  ...consumer,
  async deliver(sequence, changes) {
    const undeliverable = await consumer.deliver(sequence, changes);
    if (sequence.startsWith(`${DEFAULT_CLUSTER}/`))
      // only the default cluster has nodes
      for (const change of changes) attempt(() => rings.take(loggedChange(change)));
    return undeliverable;
  },
});
