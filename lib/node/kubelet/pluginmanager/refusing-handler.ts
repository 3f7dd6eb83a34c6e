import type { PluginHandler } from './plugin-handler.ts';

/** The handler of plugins of a type that this node agent does not run: each is told so. */
export const refusingHandler = (type: string): PluginHandler => ({
  validatePlugin(name) {
    throw new Error(`this node agent runs no plugins of type ${type} yet, ${name} among them`);
  },
  registerPlugin: async () => undefined,
  deRegisterPlugin: () => undefined,
});
