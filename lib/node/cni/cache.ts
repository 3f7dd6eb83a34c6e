import { marshal } from '#lib/machinery/go.ts';
import { isObject, type Json, type JsonObject, objectAt, ownField, stringAt } from '#lib/machinery/json-value.ts';
import { encodeResult } from './convert.ts';
import { decodeMap } from './decode.ts';
import type { AnyResult } from './result.ts';
import type { NetworkConfigList, RuntimeConf } from './types.ts';

/** The files of libcni's cache, in the folder `results` of `/var/lib/cni`. */
export interface CacheStore {
  /** Lists the file names. Empty if the folder does not exist. Rejects if the folder cannot be read. */
  names(): Promise<readonly string[]>;
  /** Returns a file's content and its modification time in ms since 1970. Undefined if the file does not exist or is too large. */
  read(name: string): Promise<CacheFile | undefined>;
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Removes a file. A missing file is not an error. */
  remove(name: string): Promise<void>;
}

/** A file of the cache. */
export interface CacheFile {
  readonly bytes: Uint8Array;
  readonly written: number;
}

/** One cached attachment (upstream: libcni.NetworkAttachment). */
export interface NetworkAttachment extends RuntimeConf {
  readonly network: string;
  /** The configuration of the attachment when it was created: a list or one plugin. */
  readonly config: Uint8Array;
  readonly result: JsonObject;
  /** The modification time in ms since 1970. */
  readonly written: number;
}

const KIND = 'cniCacheV1';

/** The file name of an attachment. Throws Error with libcni's message if a part is empty. */
export function cacheFileName(network: string, { containerId, ifName }: RuntimeConf): string {
  if (network === '' || containerId === '' || ifName === '')
    throw new Error(
      `cache file path requires network name ("${network}"), container ID ("${containerId}"), and interface name ("${ifName}")`,
    );
  return `${network}-${containerId}-${ifName}`;
}

/** The file content of an attachment. The bytes are the same as libcni's, with the fields of capability arguments sorted. */
export function encodeAttachment(list: NetworkConfigList, rt: RuntimeConf, result: AnyResult): Uint8Array {
  const { containerId, ifName, netns, args = [], capabilityArgs = {} } = rt;
  const fields: [string, unknown][] = [
    ['kind', KIND],
    ['containerId', containerId],
    ['config', Buffer.from(list.bytes).toString('base64')],
    ['ifName', ifName],
    ['networkName', list.name],
  ];
  if (netns !== '') fields.push(['netns', netns]);
  if (args.length > 0) fields.push(['cniArgs', args]);
  if (Object.keys(capabilityArgs).length > 0) fields.push(['capabilityArgs', capabilityArgs]);
  fields.push(['result', encodeResult(result)]);
  return Buffer.from(marshal(new Map(fields)));
}

/** The attachment in a file. Undefined if the file is of another kind. Throws Error if it is not a JSON object. */
export function decodeAttachment({ bytes, written }: CacheFile): NetworkAttachment | undefined {
  const raw = decodeMap(bytes);
  if (stringAt(raw, 'kind') !== KIND) return undefined;
  return {
    containerId: stringAt(raw, 'containerId') ?? '',
    network: stringAt(raw, 'networkName') ?? '',
    ifName: stringAt(raw, 'ifName') ?? '',
    netns: stringAt(raw, 'netns') ?? '',
    config: Buffer.from(stringAt(raw, 'config') ?? '', 'base64'),
    args: argsOf(ownField(raw, 'cniArgs')),
    capabilityArgs: objectAt(raw, 'capabilityArgs') ?? {},
    result: objectAt(raw, 'result') ?? {},
    written,
  };
}

function argsOf(value: Json | undefined): [string, string][] {
  const pairs = Array.isArray(value) ? value : [];
  return pairs.flatMap((pair): [string, string][] => {
    const [key, text] = Array.isArray(pair) ? pair : [];
    return typeof key === 'string' && typeof text === 'string' ? [[key, text]] : [];
  });
}

/**
 * All cached attachments, sorted by file name. Files of another kind and files without a name are skipped (upstream: GetCachedAttachments).
 */
export async function cachedAttachments(cache: CacheStore): Promise<NetworkAttachment[]> {
  const attachments: NetworkAttachment[] = [];
  for (const name of [...(await cache.names())].sort((a, b) => (a < b ? -1 : 1))) {
    const file = await cache.read(name);
    const attachment = file === undefined ? undefined : readable(file);
    if (attachment !== undefined && attachment.ifName !== '' && attachment.network !== '') attachments.push(attachment);
  }
  return attachments;
}

function readable(file: CacheFile): NetworkAttachment | undefined {
  try {
    return decodeAttachment(file);
  } catch {
    return undefined; // like libcni: another process may be writing the file
  }
}

/** A host port mapping, as in capability arguments. */
export interface CachedPortMapping {
  readonly hostPort: number;
  readonly protocol: string;
  /** Empty for all addresses. */
  readonly hostIP: string;
}

/** The host ports that an attachment maps. Runtimes write the field names in different cases. */
export function cachedPortMappings({ capabilityArgs = {} }: RuntimeConf): CachedPortMapping[] {
  const mappings = ownField(capabilityArgs, 'portMappings');
  return (Array.isArray(mappings) ? mappings : []).filter(isObject).flatMap((raw) => {
    const lower = new Map(Object.entries(raw).map(([field, value]) => [field.toLowerCase(), value]));
    const [hostPort, protocol, hostIP] = [lower.get('hostport'), lower.get('protocol'), lower.get('hostip')];
    if (typeof hostPort !== 'number' || hostPort <= 0) return [];
    return {
      hostPort,
      protocol: typeof protocol === 'string' && protocol !== '' ? protocol.toLowerCase() : 'tcp',
      hostIP: typeof hostIP === 'string' ? hostIP : '',
    };
  });
}
