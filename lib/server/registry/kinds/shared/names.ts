import type { ObjectMeta } from '#lib/api/types/meta.v1.ts';
import { isDNS1123Label, nameIsDNSSubdomain } from '#lib/machinery/validation/names.ts';

/** The use of a pod's name in warnings about it. */
export const POD_HOSTNAME = "this is used in the Pod's hostname";
/** The use of the name of a kind that makes pods in warnings about it. */
export const POD_NAMES = 'this is used in Pod names and hostnames';

/** Checks the names of kinds whose generateName is judged by the name that it makes. */
export const finalName = (name: string, prefix: boolean): string[] => (prefix ? [] : nameIsDNSSubdomain(name, false));

/** Warnings of a name that is no DNS label, of which host names are made. */
export function labelNameWarnings({ metadata: { name = '' } }: { metadata: ObjectMeta }, used: string): string[] {
  const messages = isDNS1123Label(name);
  if (messages.length === 0) return [];
  const advice = 'which can result in surprising behavior; a DNS label is recommended';
  return [`metadata.name: ${used}, ${advice}: [${messages.join(' ')}]`];
}
