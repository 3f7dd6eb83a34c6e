import { decodeJson, encodeJson } from '#lib/machinery/json.ts';
import { isObject, type Json, ownField } from '#lib/machinery/json-value.ts';
import { CorruptCheckpointError } from '../../../checkpointmanager/checkpoint-store.ts';
import {
  bareDump,
  checksumOf,
  type GoValue,
  goIntMap,
  goMap,
  goSlice,
  goString,
  goStruct,
} from '../../../checkpointmanager/checksum.ts';

/** Device IDs by NUMA node, -1 for devices without a node. A device of several nodes appears under each. */
export type DevicesPerNUMA = ReadonlyMap<number, readonly string[]>;

/** The devices of one resource that are allocated to a container. */
export interface PodDevicesEntry {
  readonly podUID: string;
  readonly containerName: string;
  readonly resourceName: string;
  readonly deviceIDs: DevicesPerNUMA;
  /** The plugin's encoded ContainerAllocateResponse. */
  readonly allocResp: Uint8Array;
}

/** The content of a checkpoint: allocations, and the healthy devices of each registered resource. */
export interface CheckpointData {
  readonly entries: readonly PodDevicesEntry[];
  readonly registered: ReadonlyMap<string, readonly string[]>;
}

/** An entry in the file's format. Undefined stands for Go's nil, which affects the checksum. */
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

/** Encodes a checkpoint in the format of kubelet 1.36. Lists and entries that were encoded before are cached. */
export function encodeCheckpoint({ entries, registered }: CheckpointData): Uint8Array {
  const stored = { entries: entries.length === 0 ? undefined : entries, registered };
  const list = stored.entries === undefined ? 'null' : `[${entries.map((entry) => entryTexts(entry).json).join(',')}]`;
  const lists = byKey(registered).flatMap(([resource, ids], index) => [
    `${index === 0 ? '' : ','}${encodeJson(resource)}:`,
    listTexts(ids).json,
  ]);
  const parts = [
    `{"Data":{"PodDeviceEntries":${list},"RegisteredDevices":{`,
    ...lists,
    `}},"Checksum":${checksumOf(dumped(stored))}}`,
  ];
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

/** The entries of a map in the order of Go's JSON: sorted by the bytes of their keys, even for numbers. */
const byKey = <K extends string | number, V>(map: Iterable<readonly [K, V]>): [key: string, value: V][] =>
  [...map]
    .map(([key, value]): [string, V] => [String(key), value])
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

/** A value in the file's format, and in the dump format that the checksum covers. */
interface Texts<T> {
  readonly json: T;
  readonly dump: T;
}

/** Caches the texts of each value, because every checkpoint contains the same thousands of values. */
function remembered<K extends object, T>(texts: (key: K) => Texts<T>): (key: K) => Texts<T> {
  const known = new WeakMap<K, Texts<T>>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const fresh = texts(key);
    known.set(key, fresh);
    return fresh;
  };
}

/** Caches long lists as bytes, so that they are not encoded again. */
const listTexts = remembered((ids: readonly string[]) => ({
  json: Buffer.from(encodeJson([...ids])),
  dump: Buffer.from(`[${ids.join(' ')}]`),
}));

const entryTexts = remembered((entry: StoredEntry) => {
  const { podUID, containerName, resourceName, deviceIDs = new Map<number, string[]>(), allocResp = [] } = entry;
  const devices = byKey(deviceIDs).map(([node, ids]) => `"${node}":${encodeJson([...(ids ?? [])])}`);
  const fields = [
    `"PodUID":${encodeJson(podUID)}`,
    `"ContainerName":${encodeJson(containerName)}`,
    `"ResourceName":${encodeJson(resourceName)}`,
    `"DeviceIDs":{${devices.join(',')}}`,
    `"AllocResp":"${Buffer.from(allocResp).toString('base64')}"`,
  ];
  return { json: `{${fields.join(',')}}`, dump: bareDump(dumpedEntry(entry)) };
});

/** Decodes a checkpoint that a kubelet wrote. Throws CorruptCheckpointError if it is invalid or its checksum differs. */
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

/** The value of a field. Null counts as absent, as in Go. */
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

/** The data as Go sees it, for the checksum. */
const dumped = ({ entries, registered }: Stored): GoValue =>
  goStruct('checkpoint.checkpointData', {
    PodDeviceEntries: goSlice(
      '[]checkpoint.PodDevicesEntry',
      entries?.map((entry) => ({ kind: 'text', type: 'checkpoint.PodDevicesEntry', text: entryTexts(entry).dump })),
    ),
    RegisteredDevices: goMap(
      'map[string][]string',
      registered && [...registered].map(([name, ids]) => [name, listed(ids, (known) => listTexts(known).dump)]),
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

/** A list as one text, which is faster: lists have thousands of items, and each write computes the checksum of all. */
const listed = (
  ids: readonly string[] | undefined,
  dump: (ids: readonly string[]) => string | Uint8Array = (some) => `[${some.join(' ')}]`,
): GoValue => ({ kind: 'text', type: '[]string', text: ids === undefined ? '<nil>' : dump(ids) });
