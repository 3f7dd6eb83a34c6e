import { expect, test } from 'vitest';
import { parseCPUSet } from '../cpuset.ts';
import { decodeCPUState, encodeCPUState } from './checkpoint.ts';
import { CPUState } from './state.ts';

// Upstream's MarshalCheckpoint wrote these texts.
const EMPTY = '{"policyName":"none","defaultCpuSet":"","checksum":1353318690}';
const SOME =
  '{"policyName":"static","defaultCpuSet":"0,4,6-7","entries":{"uid-a":{"x":"2-3"},"uid-b":{"c1":"5","c2":"1"}},"checksum":3483028856}';

test("encodes states in upstream's second version", () => {
  expect(encodeCPUState('none', new CPUState())).toBe(EMPTY);
  const state = new CPUState(parseCPUSet('0,4,6-7'));
  state.setCPUSet('uid-b', 'c2', parseCPUSet('1'));
  state.setCPUSet('uid-b', 'c1', parseCPUSet('5'));
  state.setCPUSet('uid-a', 'x', parseCPUSet('2,3'));
  expect(encodeCPUState('static', state)).toBe(SOME);
});

test('decodes states from upstream', () => {
  const state = decodeCPUState(Buffer.from(SOME), 'static');
  expect([state.defaultSet, state.cpuSet('uid-b', 'c2')].map(String)).toEqual(['0,4,6-7', '1']);
  expect(encodeCPUState('static', state)).toBe(SOME);
});
