import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';

/** One request of a recorded sequence and the real server's response. */
export interface Step {
  readonly op: 'apply' | 'update' | 'merge' | 'strategic' | 'json';
  readonly manager: string;
  readonly force?: boolean;
  readonly body: Json;
  readonly answer: Answer;
}
export interface Answer {
  readonly code: number;
  readonly message?: string;
  readonly out?: JsonObject;
  readonly causes?: readonly JsonObject[];
}
export interface Sequence {
  readonly path: string;
  readonly name: string;
  readonly steps: readonly Step[];
}

/** The folder with recorded responses. If it is undefined, their tests are skipped. */
export const fixtures = process.env['DAVIT_FIXTURES'];

export function sequences(resource: string): Sequence[] {
  const text = gunzipSync(readFileSync(`${fixtures}/corpus/patches.jsonl.gz`)).toString();
  const all = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Sequence);
  return all.filter(({ path }) => path.endsWith(`/${resource}`));
}
