import { expect, test } from 'vitest';
import {
  checksumOf,
  dumpForHash,
  type GoValue,
  goBool,
  goBytes,
  goInt,
  goIntMap,
  goMap,
  goNil,
  goPointer,
  goSlice,
  goString,
  goStrings,
  goStruct,
} from './checksum.ts';

// A Go program that calls checksum.New and dump.ForHash with the same values generated the texts and checksums.

const devices = (entries: readonly [number, readonly string[] | undefined][] | undefined): GoValue =>
  goIntMap(
    'main.DevicesPerNUMA',
    entries?.map(([node, ids]) => [node, goStrings(ids)]),
  );

const data = (entries: GoValue[] | undefined, registered: [string, readonly string[]][] | undefined): GoValue =>
  goStruct('main.checkpointData', {
    PodDeviceEntries: goSlice('[]main.PodDevicesEntry', entries),
    RegisteredDevices: goMap(
      'map[string][]string',
      registered?.map(([name, ids]) => [name, goStrings(ids)]),
    ),
  });

test('computes the same checksum as Go for a checkpoint of devices', () => {
  const entry = (fields: Record<string, GoValue>): GoValue => goStruct('main.PodDevicesEntry', fields);
  const first = entry({
    PodUID: goString('uid-1'),
    ContainerName: goString('con'),
    ResourceName: goString('example.com/gpu'),
    DeviceIDs: devices([
      [1, ['b', 'a']],
      [0, ['é']],
      [-1, ['x']],
      [10, undefined],
    ]),
    AllocResp: goBytes(new Uint8Array([10, 3, 255])),
  });
  const second = entry({
    PodUID: goString('u'),
    ContainerName: goString('c'),
    ResourceName: goString('r'),
    DeviceIDs: devices(undefined),
    AllocResp: goBytes(undefined),
  });
  const value = data(
    [first, second],
    [
      ['example.com/gpu', ['a', 'b']],
      ['a.com/z', []],
    ],
  );
  expect(dumpForHash(value)).toBe(
    '(main.checkpointData){PodDeviceEntries:([]main.PodDevicesEntry)[{PodUID:(string)uid-1 ContainerName:(string)con ResourceName:(string)example.com/gpu DeviceIDs:(main.DevicesPerNUMA)map[-1:[x] 0:[é] 1:[b a] 10:<nil>] AllocResp:([]uint8)[10 3 255]} {PodUID:(string)u ContainerName:(string)c ResourceName:(string)r DeviceIDs:(main.DevicesPerNUMA)<nil> AllocResp:([]uint8)<nil>}] RegisteredDevices:(map[string][]string)map[a.com/z:[] example.com/gpu:[a b]]}',
  );
  expect(checksumOf(value)).toBe(461819728);
});

test('distinguishes nil slices and maps from empty ones', () => {
  expect(checksumOf(data(undefined, undefined))).toBe(496185680);
});

test('dumps the type of a pointer in fields and its depth in items', () => {
  const seven = goPointer(goInt('int', 7));
  const inner = (n: number, p: GoValue, q: GoValue): GoValue =>
    goPointer(goStruct('main.Inner', { N: goInt('int64', n), P: p, Q: q }));
  const one = inner(-3, seven, goNil('*main.Inner'));
  const thing = goPointer(
    goStruct('main.Thing', {
      B: goBool(true),
      U: goInt('uint64', 18446744073709551615n),
      F: { kind: 'text', type: 'float64', text: '1.5' },
      S: goSlice('[]*main.Inner', [one]),
      M: goMap('map[string]*main.Inner', [
        ['k', inner(0, goNil('*int'), one)],
        ['', one],
      ]),
      I: goString('text'),
      J: goNil('interface {}'),
      MM: goIntMap('map[int][]string', [
        [10, goStrings(['a b'])],
        [9, goStrings([])],
      ]),
      NilMap: goMap('map[string]string', undefined),
      NilSlice: goStrings(undefined),
      Empty: goStrings([]),
      Checksum: goInt('checksum.Checksum', 0),
    }),
  );
  expect(checksumOf(thing)).toBe(1757520778);
});
