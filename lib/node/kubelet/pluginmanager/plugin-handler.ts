/**
 * A consumer of plugins of one type (upstream: cache.PluginHandler). For one socket the calls come in order: validate, register, and
 * deRegister when the socket is gone. A socket that is made anew registers again after deRegister.
 */
export interface PluginHandler {
  /** Throws Error with the reason for the plugin where name, endpoint or versions are not to its liking. */
  validatePlugin(name: string, endpoint: string, versions: readonly string[]): void;
  /** Rejects with the reason for the plugin. */
  registerPlugin(name: string, endpoint: string, versions: readonly string[]): Promise<void>;
  deRegisterPlugin(name: string, endpoint: string): void;
}
