/**
 * A consumer for plugins of one type (upstream: cache.PluginHandler). The calls for a socket come in order: validate, register, and
 * deRegister when the socket is removed. A recreated socket is registered again after deRegister.
 */
export interface PluginHandler {
  /** Throws Error with the reason for the plugin if name, endpoint or versions are unacceptable. */
  validatePlugin(name: string, endpoint: string, versions: readonly string[]): void;
  /** Rejects with the reason for the plugin. */
  registerPlugin(name: string, endpoint: string, versions: readonly string[]): Promise<void>;
  deRegisterPlugin(name: string, endpoint: string): void;
}
