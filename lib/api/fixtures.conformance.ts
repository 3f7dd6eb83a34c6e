import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { type GroupVersionKind, parseApiVersion } from '#lib/machinery/schema.ts';

/** The folder with recorded responses of a real server, outside the repository. Undefined if it is not available. */
export const fixtures = process.env['DAVIT_FIXTURES'];

const unzip = (...path: string[]): Buffer => gunzipSync(readFileSync(join(fixtures ?? '', ...path)));

/** The records of `corpus/<name>.jsonl.gz`. */
export function corpus<T>(name: string): T[] {
  const lines = unzip('corpus', `${name}.jsonl.gz`).toString().trim().split('\n');
  return lines.map((line) => JSON.parse(line) as T);
}

const BLOCK = 512;

/** The files of `data/<name>.tgz` by name: regular entries of a ustar archive. */
export function archive(name: string): Map<string, Buffer> {
  const tar = unzip('data', `${name}.tgz`);
  const files = new Map<string, Buffer>();
  for (let at = 0; at < tar.length && tar[at] !== 0; ) {
    const field = (start: number, length: number): string =>
      tar.toString('latin1', at + start, at + start + length).replace(/\0.*$/s, '');
    const size = Number.parseInt(field(124, 12), 8);
    if (/^0?$/.test(field(156, 1)))
      files.set(field(0, 100).replace(/^\.\//, ''), tar.subarray(at + BLOCK, at + BLOCK + size));
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

export function kindOf(object: JsonObject): GroupVersionKind {
  const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
  const groupVersion = parseApiVersion(text(object['apiVersion'])) ?? { group: '', version: '' };
  return { ...groupVersion, kind: text(object['kind']) };
}
