import { expect, test } from 'vitest';
import { aHandle, aPodInfo } from '../../../testing/wrappers.ts';
import { podTopologySpreadArgs } from './args.ts';
import { Constraints } from './constraints.ts';

test('parses the constraints of a pod once for each action', () => {
  const own = (whenUnsatisfiable: string) => ({ maxSkew: 1, topologyKey: whenUnsatisfiable, whenUnsatisfiable });
  const pod = aPodInfo({ spec: { topologySpreadConstraints: [own('DoNotSchedule'), own('ScheduleAnyway')] } });
  const constraints = new Constraints(podTopologySpreadArgs.parse({}), aHandle().lister);
  for (const action of ['DoNotSchedule', 'ScheduleAnyway'] as const) {
    const found = constraints.of(pod, action);
    expect(found.map(({ topologyKey }) => topologyKey)).toEqual([action]);
    expect(constraints.of(pod, action)).toBe(found);
  }
});
