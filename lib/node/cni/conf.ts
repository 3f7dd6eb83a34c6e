import { marshal, quote } from '#lib/machinery/go.ts';
import { jsonKind } from '#lib/machinery/go-values.ts';
import { type Json, type JsonObject, objectAt, ownField, setField } from '#lib/machinery/json-value.ts';
import { decodeMap, goType } from './decode.ts';
import type { NetworkConfigList, PluginConfig } from './types.ts';
import { CURRENT, compareVersions } from './version.ts';

const LIST = 'error parsing configuration list:';

/** Parses the configuration of one plugin (upstream: NetworkPluginConfFromBytes). Throws Error, mostly with libcni's message. */
export function pluginConfFromBytes(bytes: Uint8Array): PluginConfig {
  try {
    return pluginConf(decodeMap(bytes));
  } catch (cause) {
    if (cause instanceof MissingType) throw cause;
    throw new Error(`error parsing configuration: ${cause instanceof Error ? cause.message : ''}`, { cause });
  }
}

class MissingType extends Error {}

/** The configuration of one plugin from its decoded object. */
function pluginConf(config: JsonObject): PluginConfig {
  const type = textAt(config, 'type');
  if (type === '') throw new MissingType("error parsing configuration: missing 'type'");
  const declared = Object.entries(objectAt(config, 'capabilities') ?? {});
  return {
    type,
    name: textAt(config, 'name'),
    cniVersion: textAt(config, 'cniVersion'),
    capabilities: declared.filter(([, isOn]) => isOn === true).map(([capability]) => capability),
    config,
  };
}

/** The string value of a field. Empty if absent. Throws Error, with the message of Go's decoder, for another type. */
function textAt(config: JsonObject, field: string): string {
  const value = ownField(config, field) ?? null;
  if (value === null || typeof value === 'string') return value ?? '';
  throw new Error(`json: cannot unmarshal ${jsonKind(value)} into Go struct field PluginConf.${field} of type string`);
}

/**
 * Parses a list of plugins (upstream: NetworkConfFromBytes). If the list is empty, the plugins are in the files of a folder, unless
 * `loadOnlyInlinedPlugins` is set. Throws Error, mostly with libcni's message.
 */
export function networkConfFromBytes(bytes: Uint8Array): NetworkConfigList {
  const raw = listOf(bytes);
  const loadOnlyInlinedPlugins = boolAt(raw, 'loadOnlyInlinedPlugins');
  return {
    name: nameOf(raw),
    cniVersion: versionOf(raw),
    disableCheck: boolAt(raw, 'disableCheck'),
    disableGC: boolAt(raw, 'disableGC'),
    loadOnlyInlinedPlugins,
    plugins: pluginsOf(raw, loadOnlyInlinedPlugins),
    bytes,
  };
}

function listOf(bytes: Uint8Array): JsonObject {
  try {
    return decodeMap(bytes);
  } catch (cause) {
    throw new Error(`${LIST} ${cause instanceof Error ? cause.message : ''}`, { cause });
  }
}

function nameOf(raw: JsonObject): string {
  const name = ownField(raw, 'name');
  if (name === undefined) throw new Error(`${LIST} no name`);
  if (typeof name !== 'string') throw new Error(`${LIST} invalid name type ${goType(name)}`);
  return name;
}

/** The newest version in either field of the list that this code supports. */
function versionOf(raw: JsonObject): string {
  const one = ownField(raw, 'cniVersion') ?? '';
  if (typeof one !== 'string') throw new Error(`${LIST} invalid cniVersion type ${goType(one)}`);
  const several = ownField(raw, 'cniVersions');
  if (several === undefined) return one;
  if (!Array.isArray(several)) throw new Error(`${LIST} invalid type for cniVersions: ${goType(several)}`);
  const named = several.map((version, i) => {
    if (typeof version !== 'string')
      throw new Error(`${LIST} invalid type for cniVersions index ${i}: ${goType(version)}`);
    return spoken(version, `invalid cniVersions entry ${version} at index ${i}`);
  });
  if (one !== '') named.push(spoken(one, `invalid cniVersion ${one}`));
  const known = named.filter((version) => version !== undefined).sort(compareVersions);
  return known.at(-1) ?? one;
}

/** The version. Undefined if it is newer than this code supports. */
function spoken(version: string, fault: string): string | undefined {
  try {
    return compareVersions(version, CURRENT) > 0 ? undefined : version;
  } catch (cause) {
    throw new Error(`${LIST} ${fault}: ${cause instanceof Error ? cause.message : ''}`, { cause });
  }
}

function boolAt(raw: JsonObject, field: string): boolean {
  const value = ownField(raw, field);
  if (value === undefined) return false;
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') throw new Error(`${LIST} invalid type ${goType(value)} for ${field}`);
  const text = value.toLowerCase();
  if (text === 'true' || text === 'false') return text === 'true';
  throw new Error(`${LIST} invalid value ${quote(text)} for ${field}`);
}

function pluginsOf(raw: JsonObject, loadOnlyInlinedPlugins: boolean): PluginConfig[] {
  const plugins = ownField(raw, 'plugins');
  if (plugins === undefined) {
    if (loadOnlyInlinedPlugins) throw new Error(`${LIST} \`loadOnlyInlinedPlugins\` is true, and no 'plugins' key`);
    return [];
  }
  if (!Array.isArray(plugins)) throw new Error(`${LIST} invalid 'plugins' type ${goType(plugins)}`);
  if (plugins.length === 0) throw new Error(`${LIST} no plugins in list`);
  return plugins.map((one, i) => {
    try {
      return pluginConfFromBytes(Buffer.from(marshal(one)));
    } catch (cause) {
      throw new Error(`failed to parse plugin config ${i}: ${cause instanceof Error ? cause.message : ''}`, { cause });
    }
  });
}

/** Converts a network of one plugin to a list (upstream: ConfListFromConf). Throws like `networkConfFromBytes`. */
export function confListFromConf({ name, cniVersion, config }: PluginConfig): NetworkConfigList {
  return networkConfFromBytes(Buffer.from(marshal({ name, cniVersion, plugins: [config] })));
}

/** Parses a network that is either a list or one plugin, as in libcni's cache. Throws like `networkConfFromBytes`. */
export function networkOfEither(bytes: Uint8Array): NetworkConfigList {
  const raw = listOf(bytes);
  if (ownField(raw, 'plugins') !== undefined || ownField(raw, 'type') === undefined) return networkConfFromBytes(bytes);
  return { ...confListFromConf(pluginConfFromBytes(bytes)), bytes };
}

/** A plugin with these fields added to its configuration or replaced in it (upstream: InjectConf). */
export function injectConf(plugin: PluginConfig, values: Readonly<Record<string, Json>>): PluginConfig {
  const config: JsonObject = {};
  for (const [field, value] of [...Object.entries(plugin.config), ...Object.entries(values)])
    setField(config, field, value);
  return pluginConf(config);
}
