import { expect, test } from 'vitest';
import { errorText, FieldPath } from '#lib/machinery/validation/field.ts';
import { podTopologySpreadArgs, validatePodTopologySpreadArgs } from './args.ts';

const zone = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };
const list = (...defaultConstraints: unknown[]): unknown => ({ defaultingType: 'List', defaultConstraints });

test.each<[string, unknown, string[]]>([
  ['nothing', {}, []],
  ['a list', list(zone, { ...zone, topologyKey: 'node' }, { ...zone, whenUnsatisfiable: 'ScheduleAnyway' }), []],
  [
    'both',
    { defaultConstraints: [zone] },
    ['args.defaultingType: Invalid value: "System": when .defaultConstraints are not empty'],
  ],
  [
    'another type',
    { defaultingType: 'None' },
    ['args.defaultingType: Unsupported value: "None": supported values: "System", "List"'],
  ],
  [
    'no skew',
    list({ ...zone, maxSkew: 0 }),
    ['args.defaultConstraints[0].maxSkew: Invalid value: 0: not in valid range (0, inf)'],
  ],
  [
    'no key',
    list({ ...zone, topologyKey: '' }),
    ['args.defaultConstraints[0].topologyKey: Required value: can not be empty'],
  ],
  [
    'no action',
    list({ ...zone, whenUnsatisfiable: '' }),
    ['args.defaultConstraints[0].whenUnsatisfiable: Required value: can not be empty'],
  ],
  [
    'another action',
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
  ['one twice', list(zone, zone), ['args.defaultConstraints[1]: Duplicate value: "{zone, DoNotSchedule}"']],
])('%s', (_, given, expected) => {
  const errors = validatePodTopologySpreadArgs(podTopologySpreadArgs.parse(given), FieldPath.of('args'));
  expect(errors.map(errorText)).toEqual(expected);
});
