import { expect, test } from 'vitest';
import type { AuthorizationAttributes } from '#lib/api/cel/library/authorizer.ts';
import type { Attributes } from '#lib/server/authorization/authorizer.ts';
import { Decisions } from './decisions.ts';

const PODS = { verb: 'list', group: '', resource: 'pods' };
const NODE = { field: 'spec.nodeName', operator: '=', value: 'n' };

test.each<[string, AuthorizationAttributes, Partial<Attributes>]>([
  [
    'a field selector',
    { ...PODS, fieldSelector: 'spec.nodeName=n' },
    { fieldSelector: [expect.objectContaining(NODE)] },
  ],
  [
    'a label selector',
    { ...PODS, labelSelector: 'a in (b)' },
    { labelSelector: [expect.objectContaining({ key: 'a' })] },
  ],
  ['no selectors that do not parse', { ...PODS, fieldSelector: 'a', labelSelector: 'a in' }, {}],
  ['no selectors of a path', { verb: 'get', path: '/healthz', labelSelector: 'a' }, {}],
])('passes to authorizers %s', async (_, asked, expected) => {
  const told: Attributes[] = [];
  const decisions = new Decisions({ name: 'amy', groups: [] }, async (_user, attributes) => {
    told.push(attributes);
    return { decision: 'allow', reason: '' };
  });
  expect(decisions.authorize(asked).allowed).toBe(false);
  await decisions.settle();
  expect(decisions.authorize(asked).allowed).toBe(true);
  const [{ fieldSelector, labelSelector } = {}] = told;
  expect({ fieldSelector, labelSelector }).toEqual(expected);
});
