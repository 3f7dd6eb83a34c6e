import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf } from '#lib/machinery/meta.ts';
import { ensure } from '#lib/machinery/unstructured.ts';
import { detailsOf, evaluate, reasonsOf } from '#lib/server/policy/pod-security/evaluate.ts';
import { LEVELS, type Level } from '#lib/server/policy/pod-security/policy.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { podSecurityFixtures } from '#test/support/clients/pod-security-fixtures.ts';
import { type Answer, type Requester, requester } from '#test/support/requester.ts';
import { needing } from '#test/support/skip.ts';

/** A pod from upstream's tests with its upstream path (level/version/pass|fail/name), and upstream's verdict for each version. */
interface Fixture {
  readonly paths: readonly string[];
  readonly pod: JsonObject;
  readonly details: Readonly<Record<Level, readonly string[]>>;
  readonly reasons: Readonly<Record<Level, readonly string[]>>;
}

const fetched = await podSecurityFixtures();

const fixtures: readonly Fixture[] =
  'missing' in fetched
    ? []
    : readFileSync(fetched.path, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Fixture);
const paths = fixtures.flatMap(({ paths: held }) => held);

describe("upstream's Pod Security fixtures", needing(fetched), () => {
  test('contain every upstream fixture', () => {
    expect(paths.length).toBeGreaterThan(4000);
    console.log(`${fixtures.length} pods, ${paths.length} fixtures`);
  });

  test.each(LEVELS)('%s: every pod has upstream’s verdict in every version, word for word', (level) => {
    for (const { paths: held, pod, details, reasons } of fixtures) {
      const view = { annotations: annotationsOf(pod), spec: decodedAs(PODS, pod).spec };
      const verdicts = details[level].map((_, minor) => evaluate({ level, version: `v1.${minor}` }, view));
      expect(verdicts.map(detailsOf), held[0]).toEqual(details[level]);
      expect(verdicts.map(reasonsOf), held[0]).toEqual(reasons[level]);
      expect(detailsOf(evaluate({ level, version: 'latest' }, view))).toBe(details[level].at(-1));
    }
  });
});

describe('fixtures sent through the front door', needing(fetched), () => {
  let server: RunningApiserver;
  let request: Requester;

  beforeAll(async () => {
    server = await startApiserver({ controllers: false });
    request = requester(server);
    const folders = new Set(paths.map((path) => path.split('/').slice(0, 2).join('/')));
    for (const folder of folders) await makeNamespace(folder);
  });
  afterAll(() => server.close());

  async function makeNamespace(folder: string): Promise<void> {
    const [level = '', version = ''] = folder.split('/');
    const labels = {
      'pod-security.kubernetes.io/enforce': level,
      'pod-security.kubernetes.io/enforce-version': version,
    };
    const name = nameOf(folder);
    const made = await request('POST', '/api/v1/namespaces', { metadata: { name, labels } });
    expect(made.status).toBe(201);
    await request('POST', `/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: 'default' } });
  }

  const nameOf = (folder: string): string => folder.replace('/', '-').replace('.', '-');

  test.each(['pass', 'fail'])("have upstream's result: %s", async (expected) => {
    const wrong: string[] = [];
    const ask = async (pod: JsonObject, path: string): Promise<void> => {
      const [level = '', version = '', verdict] = path.split('/');
      if (verdict !== expected) return;
      const answer = await create(pod, nameOf(`${level}/${version}`));
      const isRight = expected === 'pass' ? answer.status === 201 : isRefused(answer, `${level}:${version}`);
      if (!isRight) wrong.push(`${path}: ${answer.status} ${String(answer.body['message'])}`);
    };
    for (const { pod, paths: held } of fixtures) await Promise.all(held.map((path) => ask(pod, path)));
    expect(wrong.slice(0, 10)).toEqual([]);
  });

  const create = (pod: JsonObject, namespace: string): Promise<Answer> =>
    request('POST', `/api/v1/namespaces/${namespace}/pods?dryRun=All`, {
      ...pod,
      metadata: { ...ensure(pod, 'metadata'), name: 'test' },
      spec: { ...ensure(pod, 'spec'), serviceAccountName: 'default' },
    });

  /** Rejected by Pod Security, or as invalid, because some combinations are not valid at all. */
  const isRefused = ({ status, body }: Answer, policy: string): boolean =>
    status === 422 || (status === 403 && String(body['message']).includes(`violates PodSecurity "${policy}"`));
});
