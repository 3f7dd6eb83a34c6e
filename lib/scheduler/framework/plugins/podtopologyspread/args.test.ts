import { expect, test } from 'vitest';
import { errorText, FieldPath } from '#lib/machinery/validation/field.ts';
import { podTopologySpreadArgs, validatePodTopologySpreadArgs } from './args.ts';

const zone = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };
const list = (...defaultConstraints: unknown[]): unknown => ({ defaultingType: 'List', defaultConstraints });

test.each<[string, unknown, string[]]>([
  ['no arguments', {}, []],
  [
    'a list of constraints',
    list(zone, { ...zone, topologyKey: 'node' }, { ...zone, whenUnsatisfiable: 'ScheduleAnyway' }),
    [],
  ],
  [
    'system defaults and a list',
    { defaultConstraints: [zone] },
    ['args.defaultingType: Invalid value: "System": when .defaultConstraints are not empty'],
  ],
  [
    'an unknown type',
    { defaultingType: 'None' },
    ['args.defaultingType: Unsupported value: "None": supported values: "System", "List"'],
  ],
  [
    'a skew of 0',
    list({ ...zone, maxSkew: 0 }),
    ['args.defaultConstraints[0].maxSkew: Invalid value: 0: not in valid range (0, inf)'],
  ],
  [
    'no topology key',
    list({ ...zone, topologyKey: '' }),
    ['args.defaultConstraints[0].topologyKey: Required value: can not be empty'],
  ],
  [
    'no action',
    list({ ...zone, whenUnsatisfiable: '' }),
    ['args.defaultConstraints[0].whenUnsatisfiable: Required value: can not be empty'],
  ],
  [
    'an unknown action',
    list({ ...zone, whenUnsatisfiable: 'Wait' }),
    [
      'args.defaultConstraints[0].whenUnsatisfiable: Unsupported value: "Wait": supported values: "DoNotSchedule", "ScheduleAnyway"',
    ],
  ],
  [
    'a selector',
    list({ ...zone, labelSelector: {} }),
    [
      'args.defaultConstraints[0].labelSelector: Forbidden: constraint must not define a selector, as they deduced for each pod',
    ],
  ],
  ['a repeated constraint', list(zone, zone), ['args.defaultConstraints[1]: Duplicate value: "{zone, DoNotSchedule}"']],
])('validates PodTopologySpreadArgs with %s', (_, given, expected) => {
  const errors = validatePodTopologySpreadArgs(podTopologySpreadArgs.parse(given), FieldPath.of('args'));
  expect(errors.map(errorText)).toEqual(expected);
});
