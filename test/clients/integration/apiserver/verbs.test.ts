import { describe, expect, test } from 'vitest';
import { json } from './front-door.ts';
import { KINDS, metadataOf, valueAt, versionOf } from './kinds.ts';
import { APPLY, describeMatrix, JSON_PATCH, MERGE, STRATEGIC } from './matrix.ts';

describeMatrix('verbs', (api) => {
  describe.each(KINDS)('$title', ({ collection, object, change, pointer, custom, resource }) => {
    test('is created with the fields that the server sets, and can be read', async () => {
      const { ok, send, namespace } = api();
      const path = collection(await namespace());
      const answer = await send('POST', path, object('created', 'one'));
      expect(answer.status).toBe(201);
      const { uid, resourceVersion, creationTimestamp, managedFields } = metadataOf(json(answer));
      expect(uid).toMatch(/^[0-9a-f-]{36}$/);
      expect(Number(resourceVersion)).toBeGreaterThan(0);
      expect(creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(managedFields).toHaveLength(1);
      expect(await ok('GET', `${path}/created`)).toEqual(json(answer));
      expect(json(await send('POST', path, object('created', 'one')))).toMatchObject({
        code: 409,
        reason: 'AlreadyExists',
      });
    });

    test('gets a generated name', async () => {
      const { ok, namespace } = api();
      const given = { ...object('', 'one'), metadata: { generateName: 'made-' } };
      const made = await ok('POST', collection(await namespace()), given);
      expect(metadataOf(made)['name']).toMatch(/^made-[a-z0-9]{5}$/);
    });

    test('is updated only with its current version', async () => {
      const { ok, send, namespace } = api();
      const path = collection(await namespace());
      const made = await ok('POST', path, object('updated', 'one'));
      const next = { ...made, ...object('updated', 'two'), metadata: metadataOf(made) };
      const updated = await ok('PUT', `${path}/updated`, next);
      expect(valueAt(updated, pointer)).toBe('two');
      expect(Number(versionOf(updated))).toBeGreaterThan(Number(versionOf(made)));
      expect(
        json(await send('PUT', `${path}/updated`, { ...next, ...object('', 'three'), metadata: metadataOf(made) })),
      ).toMatchObject({
        code: 409,
        reason: 'Conflict',
        message: `Operation cannot be fulfilled on ${resource} "updated": the object has been modified; please apply your changes to the latest version and try again`,
      });
      const other = { ...next, metadata: { ...metadataOf(updated), uid: 'other' } };
      expect(json(await send('PUT', `${path}/updated`, other))).toMatchObject({ code: 409, reason: 'Conflict' });
    });

    test('keeps its version if an update changes no field', async () => {
      const { ok, namespace } = api();
      const path = collection(await namespace());
      const made = await ok('POST', path, object('still', 'one'));
      expect(versionOf(await ok('PUT', `${path}/still`, made))).toBe(versionOf(made));
      expect(versionOf(await ok('PATCH', `${path}/still`, change('one'), MERGE))).toBe(versionOf(made));
    });

    test('is changed by every type of patch', async () => {
      const { ok, send, namespace } = api();
      const path = collection(await namespace());
      await ok('POST', path, object('patched', 'one'));
      const at = `${path}/patched`;
      expect(valueAt(await ok('PATCH', at, change('merge'), MERGE), pointer)).toBe('merge');
      const replace = JSON.stringify([{ op: 'replace', path: pointer, value: 'json' }]);
      expect(valueAt(await ok('PATCH', at, replace, JSON_PATCH), pointer)).toBe('json');
      const applied = await ok('PATCH', `${at}?fieldManager=me&force=true`, object('patched', 'apply'), APPLY);
      expect(valueAt(applied, pointer)).toBe('apply');
      const strategic = await send('PATCH', at, change('strategic'), STRATEGIC);
      expect(strategic.status).toBe(custom ? 415 : 200);
      if (!custom) expect(valueAt(json(strategic), pointer)).toBe('strategic');
    });

    test('is created by an apply, and its owner causes conflicts', async () => {
      const { send, namespace } = api();
      const path = collection(await namespace());
      const at = `${path}/applied`;
      expect((await send('PATCH', `${at}?fieldManager=one`, object('applied', 'a'), APPLY)).status).toBe(201);
      const conflict = json(await send('PATCH', `${at}?fieldManager=two`, object('applied', 'b'), APPLY));
      expect(conflict).toMatchObject({ code: 409, reason: 'Conflict' });
      expect(conflict['message']).toMatch(/^Apply failed with 1 conflict: conflict with "one": /);
      expect((await send('PATCH', `${at}?fieldManager=two&force=true`, object('applied', 'b'), APPLY)).status).toBe(
        200,
      );
    });

    test('is not stored by a dry run', async () => {
      const { send, ok, namespace } = api();
      const path = collection(await namespace());
      expect((await send('POST', `${path}?dryRun=All`, object('dry', 'one'))).status).toBe(201);
      expect((await send('GET', `${path}/dry`)).status).toBe(404);
      const made = await ok('POST', path, object('dry', 'one'));
      expect(valueAt(await ok('PATCH', `${path}/dry?dryRun=All`, change('two'), MERGE), pointer)).toBe('two');
      expect((await send('DELETE', `${path}/dry?dryRun=All`)).status).toBe(200);
      expect(await ok('GET', `${path}/dry`)).toEqual(made);
    });

    test('returns 404 if it does not exist', async () => {
      const { send, namespace } = api();
      const path = `${collection(await namespace())}/absent`;
      const message = `${resource} "absent" not found`;
      const requests = [
        send('GET', path),
        send('DELETE', path),
        send('PUT', path, object('absent', 'x')),
        send('PATCH', path, change('x'), MERGE),
      ];
      for (const answer of await Promise.all(requests)) expect(json(answer)).toMatchObject({ code: 404, message });
    });

    test.each([
      ['Strict', 400, ''],
      ['Warn', 201, '299 - "unknown field'],
      ['Ignore', 201, ''],
    ])('reports unknown fields as %s', async (mode, status, warning) => {
      const { send, namespace } = api();
      const path = `${collection(await namespace())}?dryRun=All&fieldValidation=${mode}`;
      const answer = await send('POST', path, { ...object('strict', 'x'), bogus: 1 });
      expect(answer.status).toBe(status);
      expect(answer.headers['warning'] ?? '').toContain(warning);
      if (warning === '') expect(answer.headers['warning']).toBeUndefined();
    });
  });

  test.each([
    ['dryRun=Foo', 'dryRun'],
    ['fieldValidation=Foo', 'fieldValidation'],
    ['fieldManager=%07', 'fieldManager'],
    [`fieldManager=${'x'.repeat(129)}`, 'fieldManager'],
  ])('refuses the option %s', async (option, field) => {
    const { send, namespace } = api();
    const answer = await send('POST', `/api/v1/namespaces/${await namespace()}/configmaps?${option}`, {});
    expect(json(answer)).toMatchObject({ code: 422, details: { kind: 'CreateOptions', causes: [{ field }] } });
  });
});
