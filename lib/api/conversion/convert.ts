import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { apiVersion, type GroupVersionKind } from '#lib/machinery/schema.ts';
import { decodeTyped } from '../codec/decode.ts';
import { autoscalerToV1, autoscalerToV2, dropRoundTripAnnotations } from './autoscaling.ts';
import { eventFromCore, eventToCore } from './events.ts';

type Conversion = (object: JsonObject) => JsonObject;

/** By the object's version and the wanted one. */
const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  'HorizontalPodAutoscaler autoscaling/v1 autoscaling/v2': autoscalerToV2,
  'HorizontalPodAutoscaler autoscaling/v2 autoscaling/v1': autoscalerToV1,
  'HorizontalPodAutoscaler autoscaling/v2 autoscaling/v2': (object) => ({
    ...object,
    metadata: dropRoundTripAnnotations(objectAt(object, 'metadata')),
  }),
  'Event v1 events.k8s.io/v1': eventFromCore,
  'Event events.k8s.io/v1 v1': eventToCore,
};

/**
 * A built-in object in another served version of its kind; the object itself where there is nothing to convert. `object` is
 * in the form that `decodeTyped` gives and is not changed; the result may share parts with it.
 */
export function convert(object: JsonObject, to: GroupVersionKind): JsonObject {
  const from = stringAt(object, 'apiVersion') ?? '';
  const conversion = CONVERSIONS[`${to.kind} ${from} ${apiVersion(to)}`];
  if (conversion !== undefined) return decodeTyped(to, conversion(object)).object;
  if (from === apiVersion(to)) return object;
  throw new TypeError(`no conversion of ${to.kind} from ${from} to ${apiVersion(to)}`);
}
