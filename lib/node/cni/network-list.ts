import { messageOfError } from '#lib/machinery/error-message.ts';
import { marshal, quote } from '#lib/machinery/go.ts';
import { type Json, type JsonObject, setField, stringAt } from '#lib/machinery/json-value.ts';
import {
  type CacheStore,
  cachedAttachments,
  cacheFileName,
  decodeAttachment,
  encodeAttachment,
  type NetworkAttachment,
} from './cache.ts';
import { injectConf, networkOfEither } from './conf.ts';
import { convertResult, encodeResult } from './convert.ts';
import { decodeMap } from './decode.ts';
import { execPlugin, type Invocation, NO_ATTACHMENT, pluginResult, supportedVersions } from './invoke.ts';
import { type AnyResult, createResult } from './result.ts';
import type { GCAttachment, NetworkConfigList, PluginConfig, RuntimeConf } from './types.ts';
import { validateAttachment } from './validate.ts';
import { isAtLeast } from './version.ts';

/** Runs the plugins of networks and caches their results like libcni (upstream: libcni.CNIConfig). */
export class CNIConfig {
  readonly #invocation: Invocation;
  readonly #cache: CacheStore;

  constructor(invocation: Invocation, cache: CacheStore) {
    this.#invocation = invocation;
    this.#cache = cache;
  }

  /**
   * Attaches a container. Each plugin gets the result of the previous one. Rejects with an Error with libcni's message. It does not undo
   * earlier plugins.
   */
  async addNetworkList(list: NetworkConfigList, rt: RuntimeConf): Promise<AnyResult> {
    let result: AnyResult | undefined;
    for (const plugin of list.plugins) result = await this.#add(list, plugin, { result, rt });
    if (result === undefined) throw new Error('no plugin configs found');
    await this.#cache.write(cacheFileName(list.name, rt), encodeAttachment(list, rt, result));
    return result;
  }

  async #add(list: NetworkConfigList, plugin: PluginConfig, { result, rt }: Step): Promise<AnyResult> {
    try {
      validateAttachment(list.name, rt.containerId, rt.ifName);
      const conf = buildOneConfig(list, plugin, result, rt);
      return pluginResult(conf, await execPlugin(this.#invocation, 'ADD', conf, rt));
    } catch (cause) {
      throw new Error(`plugin ${described(plugin)} failed (add): ${messageOfError(cause)}`, { cause });
    }
  }

  /** Runs CHECK for each plugin of an attachment. Rejects with the first error, or if the list is older than 0.4.0. */
  async checkNetworkList(list: NetworkConfigList, rt: RuntimeConf): Promise<void> {
    if (!isAtLeast(list.cniVersion, '0.4.0'))
      throw new Error(`configuration version ${quote(list.cniVersion)} does not support the CHECK command`);
    if (list.disableCheck) return;
    let result;
    try {
      result = await this.#cachedResult(list, rt);
    } catch (cause) {
      throw new Error(`failed to get network ${quote(list.name)} cached result: ${messageOfError(cause)}`, { cause });
    }
    for (const plugin of list.plugins)
      await execPlugin(this.#invocation, 'CHECK', buildOneConfig(list, plugin, result, rt), rt);
  }

  /**
   * Detaches a container, starting with the last plugin. Rejects with an Error with libcni's message. The cache then keeps the attachment.
   */
  async delNetworkList(list: NetworkConfigList, rt: RuntimeConf): Promise<void> {
    // An unreadable result counts as absent, because the rest has to be removed.
    const result = isAtLeast(list.cniVersion, '0.4.0')
      ? await this.#cachedResult(list, rt).catch(() => undefined)
      : undefined;
    for (const plugin of list.plugins.toReversed()) {
      try {
        await execPlugin(this.#invocation, 'DEL', buildOneConfig(list, plugin, result, rt), rt);
      } catch (cause) {
        throw new Error(`plugin ${described(plugin)} failed (delete): ${messageOfError(cause)}`, { cause });
      }
    }
    await this.#cache.remove(cacheFileName(list.name, rt));
  }

  /** Detaches a cached attachment with its original configuration. Rejects like `delNetworkList`. */
  async delAttachment(attachment: NetworkAttachment): Promise<void> {
    await this.delNetworkList({ ...networkOfEither(attachment.config), name: attachment.network }, attachment);
  }

  /** Detaches each invalid attachment of the network and runs GC for plugins of version 1.1.0. Returns a line for each error. */
  async gcNetworkList(list: NetworkConfigList, valid: readonly GCAttachment[]): Promise<string[]> {
    if (list.disableGC) return [];
    const isValid = ({ containerId, ifName }: NetworkAttachment): boolean =>
      valid.some((one) => one.containerID === containerId && one.ifname === ifName);
    const stale = (await cachedAttachments(this.#cache)).filter((one) => one.network === list.name && !isValid(one));
    const faults: string[] = [];
    for (const one of stale) {
      const prefix = `failed to delete stale attachment ${one.containerId} ${one.ifName}`;
      await collecting(faults, prefix, () => this.delNetworkList(list, one));
    }
    if (!isAtLeast(list.cniVersion, '1.1.0')) return faults;
    const attachments = valid.map(({ containerID, ifname }) => ({ containerID, ifname }));
    const named = { 'cni.dev/valid-attachments': attachments, 'cni.dev/attachments': attachments };
    for (const plugin of list.plugins)
      await collecting(faults, `failed to GC plugin ${plugin.type}`, () =>
        execPlugin(this.#invocation, 'GC', injectConf(plugin, { ...namesOf(list), ...named }), NO_ATTACHMENT),
      );
    return faults;
  }

  /**
   * Runs STATUS to check whether each plugin can attach containers. Rejects with the CniError of the first one that cannot. Lists before
   * 1.1.0 are not checked.
   */
  async getStatusNetworkList(list: NetworkConfigList): Promise<void> {
    if (!isAtLeast(list.cniVersion, '1.1.0')) return;
    for (const plugin of list.plugins)
      await execPlugin(this.#invocation, 'STATUS', injectConf(plugin, namesOf(list)), NO_ATTACHMENT);
  }

  /** The capabilities of a list. Rejects with an Error with libcni's message unless all plugins exist and support the list's version. */
  async validateNetworkList(list: NetworkConfigList): Promise<string[]> {
    const faults: string[] = [];
    for (const { type } of list.plugins)
      await this.#validate(type, list.cniVersion).catch((error: unknown) => void faults.push(messageOfError(error)));
    if (faults.length > 0) throw new Error(`[${faults.join(' ')}]`);
    return [...new Set(list.plugins.flatMap(({ capabilities }) => capabilities))];
  }

  async #validate(type: string, cniVersion: string): Promise<void> {
    const expected = cniVersion === '' ? '0.1.0' : cniVersion;
    if (!(await supportedVersions(this.#invocation, type)).includes(expected))
      throw new Error(`plugin ${type} does not support config version ${quote(expected)}`);
  }

  /** The result of an attachment in the version of the list. Undefined if it is not cached. Throws Error if it cannot be parsed. */
  async #cachedResult({ name, cniVersion }: NetworkConfigList, rt: RuntimeConf): Promise<AnyResult | undefined> {
    const file = await this.#cache.read(cacheFileName(name, rt));
    if (file === undefined) return undefined;
    const raw = decodeAttachment(file)?.result;
    // Before version 0.8 of libcni the file contained only the result.
    const bytes = raw === undefined ? file.bytes : Buffer.from(marshal(raw));
    return convertResult(createResult(stringAt(decodeMap(bytes), 'cniVersion') ?? '', bytes), cniVersion);
  }
}

interface Step {
  readonly result: AnyResult | undefined;
  readonly rt: RuntimeConf;
}

const namesOf = ({ name, cniVersion }: NetworkConfigList) => ({ name, cniVersion });

/** The configuration that one plugin of a list reads (upstream: buildOneConfig). */
export function buildOneConfig(
  list: Pick<NetworkConfigList, 'name' | 'cniVersion'>,
  plugin: PluginConfig,
  prevResult: AnyResult | undefined,
  { capabilityArgs = {} }: RuntimeConf,
): PluginConfig {
  const runtimeConfig: JsonObject = {};
  for (const capability of plugin.capabilities)
    if (Object.hasOwn(capabilityArgs, capability))
      setField(runtimeConfig, capability, capabilityArgs[capability] ?? null);
  const values: Record<string, Json> = { name: list.name, cniVersion: list.cniVersion };
  if (prevResult !== undefined) values['prevResult'] = encodeResult(prevResult);
  if (Object.keys(runtimeConfig).length > 0) values['runtimeConfig'] = runtimeConfig;
  return injectConf(plugin, values);
}

const described = ({ type, name }: PluginConfig): string =>
  `type=${quote(type)}${name === '' ? '' : ` name=${quote(name)}`}`;

async function collecting(faults: string[], prefix: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    faults.push(`${prefix}: ${messageOfError(error)}`);
  }
}
