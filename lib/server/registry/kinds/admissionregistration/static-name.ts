import type { ObjectMeta } from '#lib/api/types/meta.v1.ts';

const SUFFIX = '.static.k8s.io';

/** Warns about names reserved for configurations that a server reads from its own files. */
export function staticNameWarnings({ metadata: { name = '' } }: { metadata: ObjectMeta }): string[] {
  if (!name.endsWith(SUFFIX)) return [];
  const reserved = 'are reserved for static manifest-based configurations and cannot be managed via the API';
  return [`metadata.name: names ending with "${SUFFIX}" ${reserved}`];
}
