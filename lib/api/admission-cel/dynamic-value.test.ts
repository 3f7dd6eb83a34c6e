import { expect, test } from 'vitest';
import { MapValue } from '#lib/api/cel/values/value.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { dynamicValue } from './dynamic-value.ts';

test('converts a whole number to an int and a number written as a float to a double', () => {
  const { value } = decodeJson(Buffer.from('{"a":3,"b":3.0,"l":[3,3e0],"f":0.5}'), { literals: true });
  const map = dynamicValue(value);
  if (!(map instanceof MapValue)) throw new TypeError('no map');
  expect([map.get('a'), map.get('b'), map.get('f')]).toEqual([3n, 3, 0.5]);
  expect(map.get('l')).toMatchObject({ size: 2 });
  const list = map.get('l') as unknown as { get(index: number): unknown };
  expect([list.get(0), list.get(1)]).toEqual([3n, 3]);
});
