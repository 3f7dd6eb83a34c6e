import { migratedTo } from '#lib/helpers/csi-translation/translate.ts';

/** Whether a name is reserved for plugins that are built into upstream. Here none is built in. */
export const isBuiltIn = (plugin: string): boolean =>
  plugin.startsWith('kubernetes.io/') && migratedTo(plugin) === undefined;
