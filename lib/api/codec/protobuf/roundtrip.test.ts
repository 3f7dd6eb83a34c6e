import { afterAll, describe, expect, test, vi } from 'vitest';
import { decodeJson } from '#lib/machinery/json.ts';
import { isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { parseApiVersion } from '#lib/machinery/schema.ts';
import { skipUnless } from '#test/support/skip.ts';
import { archive, fixtures } from '../../fixtures.conformance.ts';
import { decodeUnknown, encodeUnknown } from './envelope.ts';

// This file changes the table of kinds, so it loads its own copy of the modules.
vi.resetModules();
afterAll(() => void vi.resetModules());
const { knowUnservedKinds } = await import('../../unserved.ts');
knowUnservedKinds();
const { decodeTyped } = await import('../decode.ts');
const { decodeMessage } = await import('./decode.ts');
const { encodeMessage } = await import('./encode.ts');

const files = fixtures === undefined ? new Map<string, Buffer>() : archive('roundtrip');

interface Sample {
  readonly name: string;
  readonly message: Buffer;
  readonly object: JsonObject;
}

const samples: Sample[] = [...files].flatMap(([path, message]) => {
  const name = /([^/]+)\.pb$/.exec(path)?.[1];
  if (name === undefined) return [];
  const { value } = decodeJson(files.get(path.replace(/\.pb$/, '.json')) as Buffer);
  return isObject(value) ? [{ name, message, object: value }] : [];
});

/** WatchEvent is the only message whose envelope contains no names. */
function named(message: Buffer) {
  const unknown = decodeUnknown(message);
  return unknown.kind === '' ? { ...unknown, apiVersion: 'v1', kind: 'WatchEvent' } : unknown;
}

const gvk = (apiVersion: string, kind: string) => ({
  ...(parseApiVersion(apiVersion) ?? { group: '', version: '' }),
  kind,
});

describe('fully populated objects', skipUnless(fixtures !== undefined, 'DAVIT_FIXTURES is not set'), () => {
  test('exist for every kind', () => {
    expect(samples).toHaveLength(185);
  });

  test.each(samples)('round-trip: $name', ({ message, object }) => {
    const { apiVersion, kind, raw } = named(message);
    const names = decodeUnknown(message);
    expect(decodeMessage(apiVersion, kind, raw)).toEqual(object);
    const encoded = encodeUnknown({ ...names, raw: encodeMessage(apiVersion, kind, object) });
    expect(Buffer.compare(encoded, message)).toBe(0);
    expect(decodeTyped(gvk(apiVersion, kind), object)).toEqual({ object, unknown: [] });
  });
});
