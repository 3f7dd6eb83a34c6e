import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote, quoteList } from '#lib/machinery/go.ts';
import type { CSINodeClient } from '#lib/node/csi/services.ts';
import { CSI_TIMEOUT, csiText } from './names.ts';
import { type DriverVersion, highestSupported, isLower, versionText } from './versions.ts';

/** A driver's information about its node. */
export interface DriverNodeInfo {
  readonly nodeID: string;
  /** 0 for no limit. */
  readonly maxVolumes: number;
  readonly topology: Readonly<Record<string, string>>;
}

/** Records a node's drivers in the API (upstream: nodeinfomanager.Interface). */
export interface DriverRecords {
  /** Rejects if the node's objects cannot be changed. */
  install(driver: string, info: DriverNodeInfo): Promise<void>;
  uninstall(driver: string): Promise<void>;
}

/** The ports of CSIDrivers. */
export interface CSIDriversOptions {
  readonly records: DriverRecords;
  /** The node service at a socket. */
  nodeClient(endpoint: string): CSINodeClient;
  /** Closes the connection to a socket. */
  release(endpoint: string): void;
  /** Called when a driver was added or removed. */
  changed(driver: string): void;
  onFault(error: unknown): void;
}

interface Driver {
  readonly endpoint: string;
  readonly version: DriverVersion;
}

/** The registered CSI drivers of a node, and the handler that registers them (upstream: RegistrationHandler, DriversStore). */
export class CSIDrivers {
  readonly #options: CSIDriversOptions;
  readonly #drivers = new Map<string, Driver>();

  constructor(options: CSIDriversOptions) {
    this.#options = options;
  }

  has(name: string): boolean {
    return this.#drivers.has(name);
  }

  /** The node service of a driver. Throws if the driver is not registered. */
  client(name: string): CSINodeClient {
    const driver = this.#drivers.get(name);
    if (driver !== undefined) return this.#options.nodeClient(driver.endpoint);
    throw new Error(`driver name ${name} not found in the list of registered CSI drivers`);
  }

  /** Reads the node info of a registered driver. */
  async nodeInfo(name: string): Promise<DriverNodeInfo> {
    const info = await this.client(name).nodeGetInfo({}, { timeout: CSI_TIMEOUT });
    return {
      nodeID: info.nodeId,
      maxVolumes: info.maxVolumesPerNode,
      topology: info.accessibleTopology?.segments ?? {},
    };
  }

  validatePlugin(name: string, endpoint: string, versions: readonly string[]): void {
    try {
      this.#validated('ValidatePlugin', name, versions);
    } catch (error) {
      const prefix = `validation failed for CSI Driver ${name} at endpoint ${endpoint}`;
      throw new Error(`${prefix}: ${messageOfError(error)}`, { cause: error });
    }
  }

  async registerPlugin(name: string, endpoint: string, versions: readonly string[]): Promise<void> {
    const version = this.#validated('RegisterPlugin', name, versions);
    this.#drivers.set(name, { endpoint, version });
    try {
      await this.#options.records.install(name, await this.nodeInfo(name));
    } catch (error) {
      await this.#unregister(name, endpoint);
      throw error;
    }
    this.#options.changed(name);
  }

  deRegisterPlugin(name: string, endpoint: string): void {
    void this.#unregister(name, endpoint);
    this.#options.changed(name);
  }

  /** Forgets a driver at once and removes it from the node's objects. Never rejects. */
  async #unregister(name: string, endpoint: string): Promise<void> {
    const { release, records, onFault } = this.#options;
    if (this.#drivers.get(name)?.endpoint === endpoint) this.#drivers.delete(name);
    else if (this.#drivers.has(name)) return; // a newer driver with this name has another socket
    release(endpoint);
    try {
      await records.uninstall(name);
    } catch (error) {
      onFault(new Error(csiText(`Error uninstalling CSI driver: ${messageOfError(error)}`), { cause: error }));
    }
  }

  #validated(caller: string, name: string, versions: readonly string[]): DriverVersion {
    const failed = (reason: string): Error =>
      new Error(csiText(`${caller} for CSI driver ${quote(name)} failed. ${reason}`));
    if (versions.length === 0) throw failed('Plugin returned an empty list for supported versions');
    let version: DriverVersion;
    try {
      version = highestSupported(versions);
    } catch (error) {
      throw failed(`None of the versions specified ${quoteList(versions)} are supported. err=${messageOfError(error)}`);
    }
    const before = this.#drivers.get(name)?.version;
    if (before === undefined || isLower(before, version)) return version;
    const known = quote(versionText(before));
    throw failed(`Another driver with the same name is already registered with a higher supported version: ${known}`);
  }
}
