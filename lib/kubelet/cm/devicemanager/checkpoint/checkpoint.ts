import { decodeJson } from '#lib/machinery/json.ts';
import { isObject, ownField, type Json } from '#lib/machinery/json-value.ts';
import { CorruptCheckpointError } from '../../../checkpointmanager/checkpoint-store.ts';
import {
  checksumOf,
  goIntMap,
  goMap,
  goSlice,
  goString,
  goStruct,
  type GoValue,
} from '../../../checkpointmanager/checksum.ts';

/** IDs of devices by NUMA node; -1 for devices without a node. A device of several nodes stands at each. */
export type DevicesPerNUMA = ReadonlyMap<number, readonly string[]>;

/** The devices of one resource that a container has. */
export interface PodDevicesEntry {
  readonly podUID: string;
  readonly containerName: string;
  readonly resourceName: string;
  readonly deviceIDs: DevicesPerNUMA;
  /** The plugin's ContainerAllocateResponse, encoded. */
  readonly allocResp: Uint8Array;
}

/** The content of a checkpoint: allocations, and the healthy devices of each registered resource. */
export interface CheckpointData {
  readonly entries: readonly PodDevicesEntry[];
  readonly registered: ReadonlyMap<string, readonly string[]>;
}

/** An entry as the file has it: Go's nil is undefined and counts for the checksum. */
interface StoredEntry {
  readonly podUID: string;
  readonly containerName: string;
  readonly resourceName: string;
  readonly deviceIDs: ReadonlyMap<number, readonly string[] | undefined> | undefined;
  readonly allocResp: Uint8Array | undefined;
}

interface Stored {
  readonly entries: readonly StoredEntry[] | undefined;
  readonly registered: ReadonlyMap<string, readonly string[] | undefined> | undefined;
}

/** The bytes of a checkpoint as the kubelet 1.36 writes and reads them. */
export function encodeCheckpoint({ entries, registered }: CheckpointData): Uint8Array {
  const stored = { entries: entries.length === 0 ? undefined : entries, registered };
  const lists = [...registered].map(([resource, ids]) => `${JSON.stringify(resource)}:${textsOf(ids).json}`);
  const data = `{"PodDeviceEntries":${JSON.stringify(stored.entries?.map(fileEntry) ?? null)},"RegisteredDevices":{${lists.join(',')}}}`;
  return new TextEncoder().encode(`{"Data":${data},"Checksum":${checksumOf(dumped(stored))}}`);
}

/** The texts of a list of IDs: every write has the same thousands of them again. */
const known = new WeakMap<readonly string[], { readonly json: string; readonly dump: string }>();

function textsOf(ids: readonly string[]): { readonly json: string; readonly dump: string } {
  const before = known.get(ids);
  if (before !== undefined) return before;
  const texts = { json: JSON.stringify(ids), dump: `[${ids.join(' ')}]` };
  known.set(ids, texts);
  return texts;
}

const fileEntry = (entry: PodDevicesEntry): object => ({
  PodUID: entry.podUID,
  ContainerName: entry.containerName,
  ResourceName: entry.resourceName,
  DeviceIDs: Object.fromEntries(entry.deviceIDs),
  AllocResp: Buffer.from(entry.allocResp).toString('base64'),
});

/** The content of a checkpoint that a kubelet wrote. Throws CorruptCheckpointError where it is none, or its checksum is another. */
export function decodeCheckpoint(bytes: Uint8Array): CheckpointData {
  const { stored, checksum } = parsed(bytes);
  if (checksumOf(dumped(stored)) !== checksum) throw new CorruptCheckpointError();
  return {
    entries: (stored.entries ?? []).map((entry) => ({
      ...entry,
      deviceIDs: withoutNil(entry.deviceIDs),
      allocResp: entry.allocResp ?? new Uint8Array(),
    })),
    registered: withoutNil(stored.registered),
  };
}

const withoutNil = <K>(map: ReadonlyMap<K, readonly string[] | undefined> | undefined): Map<K, readonly string[]> =>
  new Map([...(map ?? [])].map(([key, ids]) => [key, ids ?? []]));

function parsed(bytes: Uint8Array): { readonly stored: Stored; readonly checksum: number } {
  try {
    const { value } = decodeJson(bytes);
    const data = objectIn(value, 'Data');
    return {
      stored: {
        entries: listIn(data, 'PodDeviceEntries')?.map(storedEntry),
        registered: idsByKey(data, 'RegisteredDevices', (key) => key),
      },
      checksum: Number(isObject(value) ? ownField(value, 'Checksum') : 0),
    };
  } catch (error) {
    throw new CorruptCheckpointError({ cause: error });
  }
}

const storedEntry = (value: Json): StoredEntry => ({
  podUID: textIn(value, 'PodUID'),
  containerName: textIn(value, 'ContainerName'),
  resourceName: textIn(value, 'ResourceName'),
  deviceIDs: idsByKey(value, 'DeviceIDs', nodeOf),
  allocResp: bytesIn(value, 'AllocResp'),
});

function nodeOf(key: string): number {
  const node = Number(key);
  if (!/^-?\d+$/.test(key) || !Number.isSafeInteger(node)) throw new TypeError(`${key} is no NUMA node`);
  return node;
}

/** The value at a field; null counts as absent, as in Go. */
function valueIn(value: Json, field: string): Json | undefined {
  if (!isObject(value)) throw new TypeError(`${field} is asked of what is no object`);
  return ownField(value, field) ?? undefined;
}

function objectIn(value: Json, field: string): Json {
  const inner = valueIn(value, field) ?? {};
  if (!isObject(inner)) throw new TypeError(`${field} is no object`);
  return inner;
}

function listIn(value: Json, field: string): Json[] | undefined {
  const list = valueIn(value, field);
  if (list !== undefined && !Array.isArray(list)) throw new TypeError(`${field} is no list`);
  return list;
}

function textIn(value: Json, field: string): string {
  const text = valueIn(value, field) ?? '';
  if (typeof text !== 'string') throw new TypeError(`${field} is no text`);
  return text;
}

function bytesIn(value: Json, field: string): Uint8Array | undefined {
  return valueIn(value, field) === undefined ? undefined : Buffer.from(textIn(value, field), 'base64');
}

function idsByKey<K>(value: Json, field: string, key: (name: string) => K): Map<K, string[] | undefined> | undefined {
  const map = valueIn(value, field);
  if (map === undefined) return undefined;
  if (!isObject(map)) throw new TypeError(`${field} is no object`);
  return new Map(Object.keys(map).map((name) => [key(name), listIn(map, name)?.map(idOf)]));
}

function idOf(id: Json): string {
  if (typeof id !== 'string') throw new TypeError('an ID is no text');
  return id;
}

/** The data as Go has it, for the checksum. */
const dumped = ({ entries, registered }: Stored): GoValue =>
  goStruct('checkpoint.checkpointData', {
    PodDeviceEntries: goSlice('[]checkpoint.PodDevicesEntry', entries?.map(dumpedEntry)),
    RegisteredDevices: goMap(
      'map[string][]string',
      registered && [...registered].map(([name, ids]) => [name, listed(ids)]),
    ),
  });

const dumpedEntry = (entry: StoredEntry): GoValue =>
  goStruct('checkpoint.PodDevicesEntry', {
    PodUID: goString(entry.podUID),
    ContainerName: goString(entry.containerName),
    ResourceName: goString(entry.resourceName),
    DeviceIDs: goIntMap(
      'checkpoint.DevicesPerNUMA',
      entry.deviceIDs && [...entry.deviceIDs].map(([node, ids]) => [node, listed(ids)]),
    ),
    AllocResp: { kind: 'text', type: '[]uint8', text: entry.allocResp ? `[${entry.allocResp.join(' ')}]` : '<nil>' },
  });

/** A list as one text: there are thousands of items, and each write takes the checksum of all. */
const listed = (ids: readonly string[] | undefined): GoValue => ({
  kind: 'text',
  type: '[]string',
  text: ids === undefined ? '<nil>' : textsOf(ids).dump,
});
