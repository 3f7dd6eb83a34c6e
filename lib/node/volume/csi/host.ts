import type { Secret } from '#lib/api/types/core.v1.ts';
import type { CSIDriver, VolumeAttachment } from '#lib/api/types/storage.v1.ts';
import type { CSINodeClient } from '#lib/node/csi/services.ts';
import type { VolumeHost } from '../host.ts';

/** Notes that the plugin keeps beside volumes. Methods throw with the system's words. */
export interface CSIFiles {
  /** Undefined where there is no such file. */
  readText(path: string): Promise<string | undefined>;
  /** Replaces the file whole: a crash leaves the one before or the new one. */
  writeText(path: string, text: string): Promise<void>;
  /** Removes a file, or an empty folder; nothing where it is missing. */
  remove(path: string): Promise<void>;
  /** Names in a folder; none where it is missing. */
  list(path: string): Promise<readonly string[]>;
}

/** The node as the volumes of CSI drivers see it. */
export interface CSIHost {
  readonly host: VolumeHost;
  readonly node: string;
  readonly notes: CSIFiles;
  /** The node service of a driver. Throws where it is not registered. */
  client(driver: string): CSINodeClient;
  /** Undefined where there is none. Throws where the server cannot say. */
  csiDriver(name: string): Promise<CSIDriver | undefined>;
  /** Throws where there is none, with the server's words. */
  attachment(name: string): Promise<VolumeAttachment>;
  /** Asks a driver again how many volumes the node takes, and records it. */
  updateNode(driver: string): Promise<void>;
  /** A secret that a volume names. Throws where there is none, with the server's words. */
  secret(namespace: string, name: string): Promise<Secret>;
}
