import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { Action, EventResource } from '../framework/events.ts';
import type { Plugin } from '../framework/interface.ts';

/** Whether a change has the pod tried again that the plugin refused: false also where it registers no such event. */
export function isHinted(
  plugin: Plugin,
  of: { readonly resource: EventResource; readonly action: Action },
  pod: JsonObject,
  change: { readonly before?: JsonObject; readonly after?: JsonObject },
): boolean {
  const events = plugin.eventsToRegister?.() ?? [];
  return events
    .filter(({ event }) => event.resource === of.resource && event.actions.includes(of.action))
    .some(({ hint }) => hint === undefined || hint(pod, change));
}
