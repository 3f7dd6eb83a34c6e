import type { Event } from '#lib/api/types/core.v1.ts';
import { EVENTS } from '#lib/api/types/resources.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { Clientset } from '../clientset.ts';
import type { Correlated } from './event-correlator.ts';

/**
 * Creates an event, or patches an existing one to increment its count. Creates it again if it has expired. Resolves with the stored event
 * (upstream: record.recordEvent).
 */
export async function writeEvent(client: Clientset, { event, isKnown }: Correlated): Promise<Event> {
  const { namespace = '', name = '' } = event.metadata;
  if (isKnown) {
    const { count = 1, lastTimestamp, message = '' } = event;
    try {
      return await client.patch({ resource: EVENTS, namespace, name }, { count, lastTimestamp, message });
    } catch (error) {
      if (!(error instanceof StatusError) || error.reason !== 'NotFound') throw error;
    }
  }
  return client.create(EVENTS, { apiVersion: 'v1', kind: 'Event', ...event });
}
