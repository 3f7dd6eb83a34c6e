import { expect, test } from 'vitest';
import { latestOf, newRequestContext, withFacts } from './request-context.ts';
import { aRequest, aRequestContext } from './testing.ts';

const AMY = { name: 'amy', groups: [] };

test('passes all facts on without changing the context of earlier filters', () => {
  const context = aRequestContext({ path: '/api/v1/pods' });
  const extended = withFacts(context, { user: AMY });
  expect(extended).toEqual({ ...context, user: AMY });
  expect(context.user).not.toEqual(AMY);
});

test('shows an earlier filter the facts of every later one', () => {
  const context = aRequestContext();
  expect(latestOf(context)).toBe(context);
  const last = withFacts(withFacts(context, { user: AMY }), { flow: { schemaUid: 's', levelUid: 'l' } });
  expect(latestOf(context)).toBe(last);
});

test('collects warnings of all stages in order, without duplicates', () => {
  const context = aRequestContext();
  context.warn('a');
  withFacts(context, { user: AMY }).warn('b');
  context.warn('a');
  expect([...context.warnings]).toEqual(['a', 'b']);
});

test.each([
  ['the id that the client sent', { 'audit-id': 'a1' }, /^a1$/],
  ['a new id if the client sent none', {}, /^[0-9a-f-]{36}$/],
  ['a new id if the client sent an empty one', { 'audit-id': '' }, /^[0-9a-f-]{36}$/],
])('a request context has %s', (_, headers, id) => {
  expect(newRequestContext(aRequest({ headers }), { now: new Date(0) }).auditId).toMatch(id);
});
