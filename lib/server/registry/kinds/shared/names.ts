import type { ObjectMeta } from '#lib/api/types/meta.v1.ts';
import { isDNS1123Label, nameIsDNSSubdomain } from '#lib/machinery/validation/names.ts';

/** How a pod's name is used, for warnings. */
export const POD_HOSTNAME = "this is used in the Pod's hostname";
/** How the name of a kind that creates pods is used, for warnings. */
export const POD_NAMES = 'this is used in Pod names and hostnames';

/** Validates complete names. Skips a generateName, because the generated name is validated instead. */
export const finalName = (name: string, prefix: boolean): string[] => (prefix ? [] : nameIsDNSSubdomain(name, false));

/** Warns about a name that is not a DNS label, because host names are derived from it. */
export function labelNameWarnings({ metadata: { name = '' } }: { metadata: ObjectMeta }, used: string): string[] {
  const messages = isDNS1123Label(name);
  if (messages.length === 0) return [];
  const advice = 'which can result in surprising behavior; a DNS label is recommended';
  return [`metadata.name: ${used}, ${advice}: [${messages.join(' ')}]`];
}
