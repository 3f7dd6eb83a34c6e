import type { Secret } from '#lib/api/types/core.v1.ts';
import type { CSIDriver, VolumeAttachment } from '#lib/api/types/storage.v1.ts';
import type { CSINodeClient } from '#lib/node/csi/services.ts';
import type { VolumeHost } from '../host.ts';

/** Data files that the plugin keeps next to volumes. Methods throw the system's error. */
export interface CSIFiles {
  /** Undefined if the file does not exist. */
  readText(path: string): Promise<string | undefined>;
  /** Replaces the file atomically: after a crash it is either the old or the new one. */
  writeText(path: string, text: string): Promise<void>;
  /** Removes a file or an empty directory. Does nothing if it does not exist. */
  remove(path: string): Promise<void>;
  /** Names in a directory. Empty if it does not exist. */
  list(path: string): Promise<readonly string[]>;
}

/** The node's services for volumes of CSI drivers. */
export interface CSIHost {
  readonly host: VolumeHost;
  readonly node: string;
  readonly notes: CSIFiles;
  /** The node service of a driver. Throws if the driver is not registered. */
  client(driver: string): CSINodeClient;
  /** Undefined if it does not exist. Throws if the server is unavailable. */
  csiDriver(name: string): Promise<CSIDriver | undefined>;
  /** Throws the server's error if it does not exist. */
  attachment(name: string): Promise<VolumeAttachment>;
  /** Requests the node's volume limit from a driver again, and records it. */
  updateNode(driver: string): Promise<void>;
  /** A secret that a volume refers to. Throws the server's error if it does not exist. */
  secret(namespace: string, name: string): Promise<Secret>;
}
