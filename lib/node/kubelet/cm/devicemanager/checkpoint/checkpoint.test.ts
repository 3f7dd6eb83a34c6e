import { expect, test } from 'vitest';
import { CorruptCheckpointError } from '../../../checkpointmanager/checkpoint-store.ts';
import { type CheckpointData, decodeCheckpoint, encodeCheckpoint } from './checkpoint.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (data: Uint8Array): string => new TextDecoder().decode(data);

/** Files written by a Go program with the kubelet's own checkpoint package, and their content. */
const FILES: readonly { name: string; file: string; data: CheckpointData }[] = [
  {
    name: 'nothing',
    file: '{"Data":{"PodDeviceEntries":null,"RegisteredDevices":{}},"Checksum":3467439661}',
    data: { entries: [], registered: new Map() },
  },
  {
    name: 'nil in place of a map',
    file: '{"Data":{"PodDeviceEntries":null,"RegisteredDevices":null},"Checksum":1944006890}',
    data: { entries: [], registered: new Map() },
  },
  {
    name: 'empty and nil lists',
    file: '{"Data":{"PodDeviceEntries":[],"RegisteredDevices":{"example.com/a":[],"example.com/b":null}},"Checksum":1330601692}',
    data: {
      entries: [],
      registered: new Map([
        ['example.com/a', []],
        ['example.com/b', []],
      ]),
    },
  },
  {
    name: 'a device without a node',
    file: '{"Data":{"PodDeviceEntries":[{"PodUID":"pod","ContainerName":"con","ResourceName":"example.com/gpu","DeviceIDs":{"-1":["dev1"]},"AllocResp":"AQL/"}],"RegisteredDevices":{"example.com/gpu":["dev1","dev2"]}},"Checksum":4289315611}',
    data: {
      entries: [
        {
          podUID: 'pod',
          containerName: 'con',
          resourceName: 'example.com/gpu',
          deviceIDs: new Map([[-1, ['dev1']]]),
          allocResp: new Uint8Array([1, 2, 255]),
        },
      ],
      registered: new Map([['example.com/gpu', ['dev1', 'dev2']]]),
    },
  },
  {
    name: 'devices of several nodes',
    file: '{"Data":{"PodDeviceEntries":[{"PodUID":"pod","ContainerName":"con","ResourceName":"example.com/gpu","DeviceIDs":{"-1":["n"],"0":["c"],"1":["b","a"],"10":["x"],"2":[],"3":null},"AllocResp":""},{"PodUID":"p2","ContainerName":"c2","ResourceName":"example.com/nic","DeviceIDs":null,"AllocResp":null}],"RegisteredDevices":{"a.example.com/1":["2","3"],"a.example.com/10":["2"],"z.example.com/1":["1"]}},"Checksum":1495594507}',
    data: {
      entries: [
        {
          podUID: 'pod',
          containerName: 'con',
          resourceName: 'example.com/gpu',
          deviceIDs: new Map([
            [-1, ['n']],
            [0, ['c']],
            [1, ['b', 'a']],
            [2, []],
            [3, []],
            [10, ['x']],
          ]),
          allocResp: new Uint8Array(),
        },
        {
          podUID: 'p2',
          containerName: 'c2',
          resourceName: 'example.com/nic',
          deviceIDs: new Map(),
          allocResp: new Uint8Array(),
        },
      ],
      registered: new Map([
        ['z.example.com/1', ['1']],
        ['a.example.com/1', ['2', '3']],
        ['a.example.com/10', ['2']],
      ]),
    },
  },
  {
    name: 'texts that JSON escapes, and keys beyond the first plane',
    file: '{"Data":{"PodDeviceEntries":[{"PodUID":"p \\"q\\"","ContainerName":"c\\n\\u003c\\u0026\\u003e\\u2028","ResourceName":"é.com/😀","DeviceIDs":{"0":[""," ","a b"]},"AllocResp":"aGk="}],"RegisteredDevices":{"é":["\\\\","\\u0000","\x7f"],"\uffee.com/a":["2"],"😀.com/b":["1"]}},"Checksum":1694187629}',
    data: {
      entries: [
        {
          podUID: 'p "q"',
          containerName: 'c\n<&>\u2028',
          resourceName: 'é.com/😀',
          deviceIDs: new Map([[0, ['', ' ', 'a b']]]),
          allocResp: bytes('hi'),
        },
      ],
      registered: new Map([
        ['é', ['\\', '\0', '\x7f']],
        ['😀.com/b', ['1']],
        ['\uffee.com/a', ['2']],
      ]),
    },
  },
];

const plain = ({ entries, registered }: CheckpointData): unknown => ({
  entries: entries.map((entry) => ({ ...entry, allocResp: [...entry.allocResp] })),
  registered,
});

test.each(FILES)('decodes a checkpoint from a kubelet: $name', ({ file, data }) => {
  expect(plain(decodeCheckpoint(bytes(file)))).toEqual(plain(data));
});

test.each(FILES)('decodes its own checkpoint: $name', ({ data }) => {
  expect(plain(decodeCheckpoint(encodeCheckpoint(data)))).toEqual(plain(data));
});

test.each(FILES.filter(({ name }) => !/nil|several nodes/.test(name)))(
  'encodes the same bytes as a kubelet: $name',
  ({ file, data }) => {
    expect(text(encodeCheckpoint(data))).toBe(file);
  },
);

test('sorts the nodes of an entry and the resources by their text, like Go', () => {
  const deviceIDs = new Map([10, 2, -1, 0].map((node) => [node, [`on ${node}`]]));
  const entry = { podUID: 'p', containerName: 'c', resourceName: 'r', deviceIDs, allocResp: new Uint8Array() };
  const registered = new Map(['b', 'a10', 'a1'].map((name) => [name, ['x']]));
  expect(text(encodeCheckpoint({ entries: [entry], registered }))).toContain(
    '"DeviceIDs":{"-1":["on -1"],"0":["on 0"],"10":["on 10"],"2":["on 2"]},"AllocResp":""}],"RegisteredDevices":{"a1":["x"],"a10":["x"],"b":["x"]}}',
  );
});

test.each([
  ['another checksum', '{"Data":{"PodDeviceEntries":null,"RegisteredDevices":{}},"Checksum":0}'],
  ['no content', '{}'],
  ['null', 'null'],
  ['a list', '[]'],
  ['invalid JSON', ''],
  ['a truncated file', '{"Data":{"PodDeviceEntries":null,"Registe'],
  ['an invalid node number', '{"Data":{"PodDeviceEntries":[{"DeviceIDs":{"x":[]}}]}}'],
  ['a list in place of devices', '{"Data":{"PodDeviceEntries":[{"DeviceIDs":["a"]}]}}'],
  ['a negative checksum', '{"Data":{"RegisteredDevices":null},"Checksum":-1}'],
])('rejects a checkpoint with %s', (_, file) => {
  expect(() => decodeCheckpoint(bytes(file))).toThrow(CorruptCheckpointError);
});
