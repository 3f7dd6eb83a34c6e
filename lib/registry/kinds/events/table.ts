import type { KindStrategies } from '../../strategy.ts';
import { eventsGroupStrategy } from '../core/event.ts';

/** Events of the new group are kept as core/v1's, but their writers obey stricter rules. */
export const eventsStrategies: KindStrategies = { 'events.k8s.io/events': eventsGroupStrategy };
