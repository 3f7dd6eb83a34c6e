/** A socket in the folder of plugins. */
export interface PluginSocket {
  readonly path: string;
  /** Another text after the socket was removed and made anew. */
  readonly identity: string;
}

/** The folder in which plugins put their sockets for registration, `plugins_registry`, with its subfolders. */
export interface PluginDirectory {
  /** Sockets whose names, and whose folders' names, begin with no dot. Makes the folder where it is missing. */
  sockets(): Promise<readonly PluginSocket[]>;
  /** Calls `changed` after anything in the folder may have changed, until the signal aborts. May miss a change, and never throws. */
  watch(changed: () => void, signal: AbortSignal): void;
}
