import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, test } from 'vitest';
import { bundleUsers } from './bundle.ts';

const folder = mkdtempSync(join(tmpdir(), 'davit-users-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The maximum size in bytes of everything except the user's code. Raise it only with a reason. */
const BUDGET = 1.39e6; // shared time-outs, back-off and addresses: 8 KB; reconciler threads: 14 KB; series of events: 18 KB; the server of an aggregated API: 220 KB, read only if the file has one, of which 80 KB (field manager and metadata decoder) are read at the first write

describe('the bundle of a file with a reconciler and a webhook', () => {
  const declared = bundleUsers(join(import.meta.dirname, '../../test/support/fixtures/functions/sites.ts'), folder);

  /** Invokes the named function with an event. Returns its error. */
  const invoked = (name: string, event: object, handler = 'handler'): string => {
    const code = `require(${JSON.stringify(folder)}).${handler}(${JSON.stringify(event)}, { getRemainingTimeInMillis: () => 1000 })
      .then((answer) => console.log(JSON.stringify(answer)), (error) => console.log(error.message));`;
    const env = { PATH: process.env['PATH'], DAVIT_FUNCTION: name };
    return execFileSync(process.execPath, ['-e', code], { env, encoding: 'utf8' }).trim();
  };
  const review = (title: string) => ({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: '1',
      kind: { group: 'example.com', version: 'v1', kind: 'Site' },
      resource: { group: 'example.com', version: 'v1', resource: 'sites' },
      operation: 'CREATE',
      userInfo: {},
      object: { spec: { title } },
    },
  });

  test('exports the declarations of the file', () => {
    expect(declared).toMatchObject({ reconcilers: [{ name: 'sites' }], webhooks: [{ name: 'titles' }] });
  });

  test('is within its budget', () => {
    const sizes = globSync('*.js', { cwd: folder }).map((file) => statSync(join(folder, file)).size);
    expect(sizes.reduce((sum, one) => sum + one)).toBeLessThan(BUDGET);
  });

  test.each([
    ['a title', true],
    ['', false],
  ])('responds to a review: %j %s', (title, allowed) => {
    expect(JSON.parse(invoked('titles', review(title)))).toMatchObject({ response: { uid: '1', allowed } });
  });

  test('reports an invalid file in one line', () => {
    expect(invoked('pages', {})).toBe('DAVIT_FUNCTION: there is no webhook "pages" in this file');
    expect(invoked('sites', {}, 'reconciling')).toMatch(/^DAVIT_ENDPOINT: .*AWS_REGION: [^\n]*$/);
  });

  test('runs a reconciler in a thread that starts no function and no thread of its own', async () => {
    const env = { _HANDLER: 'index.reconciling', DAVIT_FUNCTION: 'sites' }; // the thread shares the process's environment, as in Lambda
    const thread = new Worker(join(folder, 'index.js'), { workerData: 'davit-reconcilers', env });
    const types: string[] = [];
    thread.on('message', ({ type }: { readonly type: string }) => types.push(type));
    await once(thread, 'message'); // rejects if the thread ends with an error
    const call = { what: 'reconcile', name: 'sites', request: { namespace: 'default', name: 'a' }, object: undefined };
    thread.postMessage({ type: 'call', id: 1, call });
    await once(thread, 'message');
    await thread.terminate();
    expect(types).toEqual(['loaded', 'result']);
  });

  test('lets its process exit while the thread of a reconciler is idle', () => {
    const env = {
      PATH: process.env['PATH'],
      _HANDLER: 'index.reconciling',
      DAVIT_FUNCTION: 'sites',
      DAVIT_ENDPOINT: 'https://davit.test',
      DAVIT_CLUSTER_ID: 'davit',
      DAVIT_QUEUE_URL: 'https://queue.test',
      DAVIT_LATER_QUEUE_URL: 'https://later.test',
      DAVIT_DLQ_URL: 'https://dead.test',
      AWS_REGION: 'us-east-1',
    };
    const run = spawnSync(process.execPath, [join(folder, 'index.js')], { env, encoding: 'utf8', timeout: 20_000 });
    expect(run).toMatchObject({ status: 0, signal: null, stdout: '', stderr: '' });
  });
});

test('rejects a file that cannot be loaded', () => {
  const file = join(folder, 'broken.ts');
  writeFileSync(file, "throw new Error('no good');\n");
  expect(() => bundleUsers(file, join(folder, 'broken'))).toThrow('no good');
});

describe('the bundle of a file with a function that has a secret', () => {
  const file = join(folder, 'guarded.ts');
  const bundled = join(folder, 'guarded');
  writeFileSync(
    file,
    `import { defineTokenReview } from '@davit-dev/davit/webhook';
    const key = process.env.API_KEY;
    export const guard = defineTokenReview({ name: 'guard' }, ({ token }) => token === key ? { username: 'amy' } : undefined);
    if (key === 'bad') throw new Error('the key is bad');`,
  );
  bundleUsers(file, bundled);

  /** Invokes the function while Secrets Manager holds this text. */
  async function invoked(secret: string | undefined): Promise<string> {
    const server = createServer((_, response) => {
      if (secret === undefined) response.writeHead(400).end('{"__type":"ResourceNotFoundException"}');
      else response.end(JSON.stringify({ SecretString: secret }));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'hunter2' } };
    const code = `require(${JSON.stringify(bundled)}).handler(${JSON.stringify(review)}, { getRemainingTimeInMillis: () => 1000 })
      .then((answer) => console.log(JSON.stringify(answer)), (error) => console.log(error.message));`;
    const env = {
      PATH: process.env['PATH'],
      DAVIT_FUNCTION: 'guard',
      DAVIT_SECRETS: '{"API_KEY":{"secret":"api"}}',
      AWS_REGION: 'eu-west-1',
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    };
    const run = promisify(execFile)(process.execPath, ['-e', code], { env });
    const { stdout, stderr } = await run.catch((error: { readonly stdout: string; readonly stderr: string }) => error);
    server.close();
    return `${stdout}${stderr}`.trim();
  }

  test('is loaded when the secret is in its environment', async () => {
    expect(JSON.parse(await invoked('hunter2'))).toMatchObject({ status: { authenticated: true } });
    expect(JSON.parse(await invoked('other'))).toMatchObject({ status: { authenticated: false } });
  });

  test('fails with one line if the secret cannot be read', async () => {
    expect(await invoked(undefined)).toBe('secret API_KEY: api: ResourceNotFoundException: status 400');
  });

  test('ends its process if the file cannot be loaded with the secret', async () => {
    expect(await invoked('bad')).toMatch(/^{[^\n]*"level":"error","message":"Error: the key is bad[^\n]*$/);
  });
});
