import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { reviewSelectors } from './review-selectors.ts';

const inA = { key: 'a', operator: 'In', values: ['b'] };
const ignored = (field: string, part = ''): string =>
  `spec.resourceAttributes.${field} ${part}ignored due to parse error`;

/** Cases of upstream's TestResourceAttributesFrom and …SelectorAsSelector. */
test.each<[string, JsonObject, number, number, string[]]>([
  ['no selectors', {}, 0, 0, []],
  ['texts', { fieldSelector: { rawSelector: 'a=b,c!=d' }, labelSelector: { rawSelector: 'a in (b),c' } }, 2, 2, []],
  [
    'requirements',
    {
      fieldSelector: { requirements: [inA] },
      labelSelector: { requirements: [inA, { key: 'c', operator: 'Exists' }] },
    },
    1,
    2,
    [],
  ],
  [
    'texts that are none',
    { fieldSelector: { rawSelector: '&' }, labelSelector: { rawSelector: '!!' } },
    0,
    0,
    [ignored('fieldSelector'), ignored('labelSelector')],
  ],
  [
    'an operator that fields have not',
    { fieldSelector: { requirements: [inA, { key: 'c', operator: 'Exists' }] } },
    1,
    0,
    [ignored('fieldSelector', 'partially ')],
  ],
  [
    'several values of a field',
    { fieldSelector: { requirements: [{ ...inA, values: ['b', 'c'] }] } },
    0,
    0,
    [ignored('fieldSelector')],
  ],
  [
    'no value of a field',
    { fieldSelector: { requirements: [{ ...inA, values: [] }] } },
    0,
    0,
    [ignored('fieldSelector')],
  ],
  [
    'an operator that labels have not',
    { labelSelector: { requirements: [inA, { key: 'c', operator: 'Bogus' }] } },
    0,
    1,
    [ignored('labelSelector', 'partially ')],
  ],
  [
    'a label that is none',
    { labelSelector: { requirements: [{ key: '', operator: 'Exists' }] } },
    0,
    0,
    [ignored('labelSelector')],
  ],
])('reads the selectors of a review: %s', (_, resource, fields, labels, errors) => {
  const read = reviewSelectors(resource);
  expect([read.fieldSelector?.length ?? 0, read.labelSelector?.length ?? 0, read.errors]).toEqual([
    fields,
    labels,
    errors,
  ]);
});
