import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { creationTimeOf, nameOf } from '#lib/machinery/meta.ts';
import { text } from '#lib/machinery/unstructured.ts';

/** Before the name of a class: what is asked of it as a resource, whether or not the class names one. */
export const DEVICE_CLASS_PREFIX = 'deviceclass.resource.kubernetes.io/';

/** Where classes are looked up. */
export interface DeviceClasses {
  get(namespace: string, name: string): JsonObject | undefined;
  list(): Iterable<JsonObject>;
}

/**
 * The class whose devices are had as this resource (KEP-5004): the youngest of those that name it, by name where they are as young.
 * Upstream's GetDeviceClass.
 */
export function deviceClassFor(classes: DeviceClasses, resource: string): JsonObject | undefined {
  if (resource.startsWith(DEVICE_CLASS_PREFIX)) return classes.get('', resource.slice(DEVICE_CLASS_PREFIX.length));
  const born = (one: JsonObject): number => creationTimeOf(one)?.getTime() ?? 0;
  return [...classes.list()]
    .filter((one) => text(objectAt(one, 'spec'), 'extendedResourceName') === resource)
    .sort((a, b) => born(b) - born(a) || (nameOf(a) < nameOf(b) ? -1 : 1))[0];
}
