import { EVENTS, EVENTSV1_EVENTS } from '#lib/api/types/resources.ts';
import { type KindStrategies, strategyOf } from '../../strategy.ts';
import { eventsGroupStrategy } from '../core/event.ts';

/** Events of the new group are stored as core/v1, but have stricter rules. */
export const eventsStrategies: KindStrategies = strategyOf(
  { ...EVENTS, group: EVENTSV1_EVENTS.group },
  eventsGroupStrategy,
);
