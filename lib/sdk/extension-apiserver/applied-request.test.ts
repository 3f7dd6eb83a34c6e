import { expect, test } from 'vitest';
import { forbidden } from '#lib/machinery/errors.ts';
import { APPLY } from '#lib/server/endpoints/applied-type.ts';
import { aRequestContext } from '#lib/server/request/testing.ts';
import { appliedRequest, isApply } from './applied-request.ts';
import { BOOKS } from './bookshop.conformance.ts';

async function asked(yaml: string, query = '', mayCreate = async (): Promise<void> => undefined) {
  const context = aRequestContext(
    {
      method: 'PATCH',
      path: `${BOOKS}/a`,
      query: new URLSearchParams(`fieldManager=ann${query}`),
      headers: { 'content-type': APPLY },
      body: async () => Buffer.from(yaml),
    },
    { user: { name: 'ann', groups: [] }, mayCreate },
  );
  const [passed, of] = await appliedRequest(context);
  return { of, warnings: context.warnings, body: Buffer.from(await passed.body()).toString() };
}

test('passes the configuration to a function as JSON', async () => {
  const { body } = await asked('kind: Book\nspec: {pages: 1, big: 12345678901234567}');
  expect(JSON.parse(body)).toMatchObject({ kind: 'Book', spec: { pages: 1 } });
  expect(body).toContain('"big":12345678901234567');
});

test('warns about duplicate fields, or rejects them', async () => {
  const twice = 'spec: 1\nspec: 2';
  expect([...(await asked(twice)).warnings]).toEqual(['line 2: key "spec" already set in map']);
  await expect(asked(twice, '&fieldValidation=Strict')).rejects.toMatchObject({ code: 400 });
});

test('rejects a text whose aliases expand beyond the memory limit', async () => {
  const bomb = `a: &a ${'x'.repeat(1 << 20)}\nb: [${'*a,'.repeat(700)}]`;
  await expect(asked(bomb)).rejects.toMatchObject({ code: 400 });
  const ofKeys = `a: &a {${'k'.repeat(1000)}: 1}\nb:\n${'- {<<: *a}\n'.repeat(9000)}`;
  await expect(asked(ofKeys)).rejects.toMatchObject({ code: 400 });
});

test('rejects invalid YAML and values that are not objects', async () => {
  await expect(asked('a: [')).rejects.toMatchObject({ code: 400 });
  await expect(asked('text')).rejects.toThrow('the applied configuration is not an object');
});

test('reports whether the user may create the object', async () => {
  expect((await asked('{}')).of.mayCreate).toBe(true);
  const refuse = () => Promise.reject(forbidden({ group: '', resource: 'books' }, 'a', 'no'));
  expect((await asked('{}', '', refuse)).of.mayCreate).toBe(false);
  await expect(asked('{}', '', () => Promise.reject(new Error('the authorizer fails')))).rejects.toThrow('fails');
});

test.each([
  ['PATCH', APPLY, true],
  ['PATCH', `${APPLY}; charset=utf-8`, true],
  ['PATCH', 'application/merge-patch+json', false],
  ['POST', APPLY, false],
])('detects an apply for %s with %s: %s', (method, type, is) => {
  expect(isApply({ method, headers: { 'content-type': type } })).toBe(is);
});
