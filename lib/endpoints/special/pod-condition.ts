import { isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { ensure, items, text } from '#lib/machinery/unstructured.ts';
import { timeText } from '#lib/registry/rest/meta.ts';

/** Sets a condition that is true; when it became so stays where it was. */
export function setTrue(
  pod: JsonObject,
  condition: { type: string; reason?: string; message?: string },
  now: Date,
): void {
  const status = ensure(pod, 'status');
  const known = items(status, 'conditions').find((one) => text(one, 'type') === condition.type);
  const since = text(known, 'status') === 'True' ? text(known, 'lastTransitionTime') : '';
  const next: JsonObject = {
    ...(isObject(known) ? known : { lastProbeTime: null }),
    ...condition,
    status: 'True',
    lastTransitionTime: since === '' ? timeText(now) : since,
  };
  const others = items(status, 'conditions');
  status['conditions'] =
    known === undefined ? [...others, next] : others.map((one) => (text(one, 'type') === condition.type ? next : one));
}
