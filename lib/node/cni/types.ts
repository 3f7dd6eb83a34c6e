import type { Json, JsonObject } from '#lib/machinery/json-value.ts';

/** One plugin of a network (upstream: libcni.PluginConfig). */
export interface PluginConfig {
  readonly type: string;
  /** Empty if absent, because a plugin of a list need not have a name. */
  readonly name: string;
  readonly cniVersion: string;
  /** The capabilities that the plugin declares. */
  readonly capabilities: readonly string[];
  /** The whole configuration, as the plugin reads it. */
  readonly config: JsonObject;
}

/** A network: plugins that run one after the other (upstream: libcni.NetworkConfigList). */
export interface NetworkConfigList {
  readonly name: string;
  readonly cniVersion: string;
  readonly disableCheck: boolean;
  readonly disableGC: boolean;
  readonly loadOnlyInlinedPlugins: boolean;
  readonly plugins: readonly PluginConfig[];
  /** The original configuration, which libcni's cache keeps. */
  readonly bytes: Uint8Array;
}

/** One attachment of a container to a network (upstream: libcni.RuntimeConf). */
export interface RuntimeConf {
  readonly containerId: string;
  /** The path of the network namespace. May be empty if the namespace no longer exists. */
  readonly netns: string;
  readonly ifName: string;
  readonly args?: readonly (readonly [key: string, value: string])[];
  /**
   * The values by capability. A plugin gets those that it declares. Upstream defines portMappings, bandwidth, ipRanges, dns, mac, ips,
   * aliases, cgroupPath and others. All are passed on.
   */
  readonly capabilityArgs?: Readonly<Record<string, Json>>;
}

/** An attachment that is still in use (upstream: types.GCAttachment). */
export interface GCAttachment {
  readonly containerID: string;
  readonly ifname: string;
}

/** The error of a plugin, or of a call that is invalid (upstream: types.Error). */
export class CniError extends Error {
  readonly code: number;
  readonly details: string;

  constructor(code: number, text: string, details = '') {
    super(details === '' ? text : `${text}; ${details}`);
    this.name = 'CniError';
    this.code = code;
    this.details = details;
  }
}

/** The well-known error codes. */
export const ERRORS = {
  unknown: 0,
  unknownContainer: 3,
  invalidEnvironmentVariables: 4,
  invalidNetworkConfig: 7,
} as const;
