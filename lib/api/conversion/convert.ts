import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { apiVersion, type GroupVersionKind } from '#lib/machinery/schema.ts';
import { decodeTyped } from '../codec/decode.ts';
import { autoscalerToV1, autoscalerToV2, dropRoundTripAnnotations } from './autoscaling.ts';
import { eventFromCore, eventToCore } from './events.ts';

type Conversion = (object: JsonObject) => JsonObject;

/** The conversions by the object's version and the target version. */
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
 * Converts a built-in object to another served version of its kind. Returns the object itself if no conversion is necessary. `object` has
 * the form that `decodeTyped` returns and is not changed. The result may share parts with it.
 */
export function convert(object: JsonObject, to: GroupVersionKind): JsonObject {
  const from = stringAt(object, 'apiVersion') ?? '';
  const conversion = CONVERSIONS[`${to.kind} ${from} ${apiVersion(to)}`];
  if (conversion !== undefined) return decodeTyped(to, conversion(object)).object;
  if (from === apiVersion(to)) return object;
  throw new TypeError(`no conversion of ${to.kind} from ${from} to ${apiVersion(to)}`);
}
