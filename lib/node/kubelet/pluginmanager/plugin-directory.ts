/** A socket in the plugin directory. */
export interface PluginSocket {
  readonly path: string;
  /** Changes when the socket is removed and created again. */
  readonly identity: string;
}

/** The directory for the registration sockets of plugins, `plugins_registry`, with its subdirectories. */
export interface PluginDirectory {
  /** All sockets, without dot files and those in dot directories. Creates the directory if it is missing. */
  sockets(): Promise<readonly PluginSocket[]>;
  /** Calls `changed` after a possible change in the directory, until the signal aborts. May miss a change. Never throws. */
  watch(changed: () => void, signal: AbortSignal): void;
}
