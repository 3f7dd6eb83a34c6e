import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { json } from './front-door.ts';
import { inProcess } from './in-process.ts';
import { metadataOf, versionOf } from './kinds.ts';

const PATH = '/api/v1/namespaces/default/secrets';

/** Versions by name, such as the version before the last of three writes, the version of that write, and a future version. */
const version: Record<string, string> = { none: '', zero: '0', future: '999999999999' };

let door: Awaited<ReturnType<typeof inProcess>>;
beforeAll(async () => {
  door = await inProcess();
  await make('/api/v1/namespaces', 'Namespace', 'default');
  await make(PATH, 'Secret', 'a');
  version['before'] = await make(PATH, 'Secret', 'b');
  version['last'] = await make(PATH, 'Secret', 'c');
});
afterAll(() => door.close());

async function make(path: string, kind: string, name: string): Promise<string> {
  return versionOf(
    json(await door.send({ method: 'POST', path, body: { apiVersion: 'v1', kind, metadata: { name } } })),
  );
}

const asked = async (path: string): Promise<JsonObject> => json(await door.send({ path }));

/**
 * The cells: whether the list has the old or new state, its number of objects, and the number remaining for the next page. Errors are shown
 * as their code. A token continues after the first object.
 */
const TABLE = `
                     | all   | limit 2 | token | token and limit 2
none                 | new 3 | new 2+1 | new 2 | new 2
none Exact           | 422   | 422     | 422   | 422
none NotOlderThan    | 422   | 422     | 422   | 422
none Nope            | 422   | 422     | 422   | 422
zero                 | new 3 | new 3   | new 2 | new 2
zero Exact           | 422   | 422     | 422   | 422
zero NotOlderThan    | new 3 | new 3   | 422   | 422
zero Nope            | 422   | 422     | 422   | 422
before               | new 3 | old 2   | 400   | 400
before Exact         | old 2 | old 2   | 422   | 422
before NotOlderThan  | new 3 | new 2+1 | 422   | 422
before Nope          | 422   | 422     | 422   | 422
last                 | new 3 | new 2+1 | 400   | 400
last Exact           | new 3 | new 2+1 | 422   | 422
last NotOlderThan    | new 3 | new 2+1 | 422   | 422
last Nope            | 422   | 422     | 422   | 422
future               | 504   | 504     | 400   | 400
future Exact         | 504   | 504     | 422   | 422
future NotOlderThan  | 504   | 504     | 422   | 422
future Nope          | 422   | 422     | 422   | 422`;

const CASES = TABLE.trim()
  .split('\n')
  .slice(1)
  .flatMap((line) => {
    const [head = '', ...cells] = line.split('|').map((cell) => cell.trim());
    const [at = '', match = ''] = head.split(' ');
    return cells.map((shown, index) => ({ at, match, limit: index % 2 === 1, token: index > 1, shown }));
  });

describe('reads by resourceVersion, resourceVersionMatch, limit and continue', () => {
  test.concurrent.each(CASES)('a list at $at $match, limit $limit, token $token: $shown', async (wanted) => {
    const { at, match, limit, token, shown } = wanted;
    const query = new URLSearchParams();
    if (at !== 'none') query.set('resourceVersion', version[at] ?? '');
    if (match !== '') query.set('resourceVersionMatch', match);
    if (limit) query.set('limit', '2');
    if (token) query.set('continue', String(metadataOf(await asked(`${PATH}?limit=1`))['continue']));
    expect(describeList(await asked(`${PATH}?${query.toString()}`))).toBe(shown);
  });

  test.concurrent.each([
    ['none', 200],
    ['zero', 200],
    ['before', 200],
    ['last', 200],
    ['future', 504],
  ])('an object at %s is %i', async (at, code) => {
    const query = at === 'none' ? '' : `?resourceVersion=${version[at]}`;
    expect((await door.send({ path: `${PATH}/b${query}` })).status).toBe(code);
  });
});

function describeList(list: JsonObject): string {
  if (list['kind'] === 'Status') return String(list['code']);
  const { continue: token, remainingItemCount } = metadataOf(list);
  const state = versionOf(list) === version['before'] ? 'old' : 'new';
  const rest = token === undefined ? '' : `+${String(remainingItemCount)}`;
  return `${state} ${(list['items'] as unknown[]).length}${rest}`;
}
