import { LEDGERS } from '#lib/server/policy/resource-quota/ledger.ts';
import { sequenceOf } from '#lib/storage/sequences.ts';
import type { Consumer, Undeliverable } from './consumer.ts';
import { eventOf } from './event.ts';
import { type ChangeEvent, changeEventSchema } from './event-schema.ts';
import { attempt, type ChangeEntry, resendTexts, sendMade } from './sending.ts';
import type { Sink } from './sink.ts';

/** Resources that change often and interest few consumers. They are published only if the deployment enables them. */
const ON_DEMAND = {
  leases: { group: 'coordination.k8s.io', resource: 'leases' },
  events: { group: '', resource: 'events' },
} as const;
/** A kind of event that is published only on demand. */
export type OnDemand = keyof typeof ON_DEMAND;

/** The event bus of a consumer and the events that it publishes. */
export interface EventConsumerOptions {
  readonly bus: Sink<ChangeEvent>;
  readonly clusterId: string;
  /** The on-demand kinds of events to publish in addition. */
  readonly publish: readonly OnDemand[];
}

/** The group within which events stay in order: one object. */
export const eventGroup = ({ sequence, resource, namespace = '', name }: ChangeEvent): string =>
  `${sequence}/${resource}/${namespace}/${name}`;

/** Publishes an event for every change, except for on-demand resources and the ledgers of quotas. */
export function eventConsumer({ bus, clusterId, publish }: EventConsumerOptions): Consumer {
  const silent = Object.entries(ON_DEMAND).flatMap(([name, stored]) =>
    publish.some((wanted) => wanted === name) ? [] : [sequenceOf('', stored)],
  );
  return {
    reader: 'events',
    wants: (sequence) => {
      const type = sequence.slice(sequence.indexOf('/'));
      return !silent.includes(type) && !type.startsWith(`/${LEDGERS}/`);
    },
    deliver: async (sequence, changes) => {
      const made: ChangeEntry<ChangeEvent>[] = [];
      const undeliverable: Undeliverable[] = [];
      for (const change of changes) {
        const { version, key } = change;
        const event = attempt(() => eventOf(change, { clusterId, sequence }));
        if ('fault' in event) undeliverable.push({ version, key, reason: event.fault });
        else made.push({ version, key, entry: event.value });
      }
      return [...undeliverable, ...(await sendMade(bus, made))];
    },
    resend: (entries) => resendTexts(bus, entries, (text) => changeEventSchema.parse(JSON.parse(text))),
  };
}
