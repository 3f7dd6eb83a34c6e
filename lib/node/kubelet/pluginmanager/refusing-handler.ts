import type { PluginHandler } from './plugin-handler.ts';

/** A handler for plugins of a type that this node agent does not support. It rejects each plugin with that reason. */
export const refusingHandler = (type: string): PluginHandler => ({
  validatePlugin(name) {
    throw new Error(`this node agent runs no plugins of type ${type} yet, ${name} among them`);
  },
  registerPlugin: async () => undefined,
  deRegisterPlugin: () => undefined,
});
