import { migratedTo } from '#lib/helpers/csi-translation/translate.ts';

/** Whether a name is reserved for upstream's in-tree plugins. This program contains none of them. */
export const isBuiltIn = (plugin: string): boolean =>
  plugin.startsWith('kubernetes.io/') && migratedTo(plugin) === undefined;
