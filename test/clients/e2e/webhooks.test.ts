import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newAuthority } from '#local/certs.ts';
import { buildGoWebhook } from '#test/support/clients/go-operator.ts';
import { buildOpa } from '#test/support/clients/opa.ts';
import { installFastApi } from '#test/support/clients/webhooks.ts';
import { eventually } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { needing } from '#test/support/skip.ts';
import { type Fetched, pathOf } from '../../support/clients/cache.ts';
import { useCluster } from './cluster.ts';
import { openPolicyAgent } from './open-policy-agent.ts';
import { RunningProgram } from './program.ts';

const SCRIPT = join(import.meta.dirname, '../../support/clients/python/webhook.py');
const MODULE = join(import.meta.dirname, '../../support/clients/node/webhook.ts');

/** A webhook server that has started. */
interface RunningWebhook extends AsyncDisposable {
  /** The base URL of `mutate` and `validate`. */
  readonly url: string;
  /** The CA that signs its certificate, PEM. */
  readonly authority: string;
}

interface Webhook {
  readonly name: string;
  readonly fetched: Fetched;
  /** Resolves when it accepts requests. The folder holds its files. */
  start(program: Fetched, folder: string): Promise<RunningWebhook>;
}

/** Starts a program that prints `ready`. `args` returns its command line for a port. */
const printing =
  (args: (port: number, certificate: string, key: string) => readonly string[]): Webhook['start'] =>
  async (fetched, folder) => {
    const { certificate: authority, issue } = await newAuthority(new Date());
    const pair = await issue({ name: 'hook' }, ['127.0.0.1']);
    const files = [join(folder, 'hook.crt'), join(folder, 'hook.key')] as const;
    writeFileSync(files[0], pair.certificate);
    writeFileSync(files[1], pair.key, { mode: 0o600 });
    const port = await freePort();
    const program = new RunningProgram(pathOf(fetched), args(port, ...files));
    await program.says(/ready/);
    return {
      url: `https://127.0.0.1:${port}`,
      authority,
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    };
  };

/** Its policies also respond to admission reviews. */
async function policies(fetched: Fetched, folder: string): Promise<RunningWebhook> {
  const agent = await openPolicyAgent(fetched, folder);
  return { ...agent, url: `${agent.url}/admission` };
}

const WEBHOOKS: readonly Webhook[] = [
  { name: 'go', fetched: await buildGoWebhook(), start: printing((port, ...files) => [`127.0.0.1:${port}`, ...files]) },
  {
    name: 'node',
    fetched: { path: process.execPath },
    start: printing((port, ...files) => [MODULE, String(port), ...files]),
  },
  {
    name: 'python',
    fetched: await installFastApi(),
    start: printing((port, ...files) => [SCRIPT, String(port), ...files]),
  },
  { name: 'opa', fetched: await buildOpa(), start: policies },
];

const GROUP = '/apis/admissionregistration.k8s.io/v1';
const MAPS = '/api/v1/namespaces/default/configmaps';

describe.each(WEBHOOKS)('a webhook in $name', ({ name, fetched, start }) => {
  const cluster = useCluster();

  test('labels objects, warns, rejects requests, and fails them when it is down', needing(fetched), async () => {
    const { server, folder } = cluster();
    const request = requester(server);
    const create = (object: object) => request('POST', MAPS, object as never);
    {
      await using webhook = await start(fetched, folder);
      await register(request, webhook.url, webhook.authority);
      await eventually(async () => expect((await create({ metadata: { generateName: 'm-' } })).status).toBe(201));
      const made = await create({ metadata: { name: 'made', labels: { mine: 'too' } } });
      expect(made.body).toMatchObject({ metadata: { labels: { mine: 'too', 'seen-by': name } } });
      expect(made.warnings.join()).toContain(`${name} was here`);
      const refused = await create({ metadata: { name: 'refused' }, data: { refuse: 'no' } });
      expect(refused.body).toMatchObject({
        code: 403,
        message: `admission webhook "validate.example.com" denied the request: ${name} says no`,
      });
    }
    expect((await create({ metadata: { name: 'late' } })).body).toMatchObject({
      code: 500,
      message: expect.stringContaining('failed calling webhook "mutate.example.com"') as unknown,
    });
  });
});

async function register(request: Requester, url: string, authority: string): Promise<void> {
  for (const kind of ['mutating', 'validating']) {
    const step = kind === 'mutating' ? 'mutate' : 'validate';
    const webhook = {
      name: `${step}.example.com`,
      clientConfig: { url: `${url}/${step}`, caBundle: Buffer.from(authority).toString('base64') },
      rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      // Controllers write their config maps in other namespaces, even while the webhook is down.
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    };
    const made = await request('POST', `${GROUP}/${kind}webhookconfigurations`, {
      metadata: { name: kind },
      webhooks: [webhook],
    });
    expect(made.status, String(made.body['message'])).toBe(201);
  }
}
