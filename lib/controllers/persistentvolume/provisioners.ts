import { migratedTo } from '#lib/csi-translation/translate.ts';

/** Whether a name is kept for plugins that are built in: none is, here. */
export const isBuiltIn = (plugin: string): boolean =>
  plugin.startsWith('kubernetes.io/') && migratedTo(plugin) === undefined;
