import { isDNS1123Label, nameIsDNSSubdomain } from '#lib/machinery/validation/names.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { text } from '#lib/machinery/unstructured.ts';

export const POD_HOSTNAME = "this is used in the Pod's hostname";
export const POD_NAMES = 'this is used in Pod names and hostnames';

/** Of kinds whose generateName is judged by the name that it makes. */
export const finalName = (name: string, prefix: boolean): string[] => (prefix ? [] : nameIsDNSSubdomain(name, false));

/** A name that is no DNS label makes host names that surprise. */
export function labelNameWarnings(object: JsonObject, used: string): string[] {
  const messages = isDNS1123Label(text(objectAt(object, 'metadata'), 'name'));
  if (messages.length === 0) return [];
  const advice = 'which can result in surprising behavior; a DNS label is recommended';
  return [`metadata.name: ${used}, ${advice}: [${messages.join(' ')}]`];
}
