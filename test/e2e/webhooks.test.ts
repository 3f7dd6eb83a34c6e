import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newAuthority } from '#local/certs.ts';
import { buildGoWebhook } from '#test/clients/go-operator.ts';
import { installFastApi } from '#test/clients/webhooks.ts';
import { freePort } from '#test/free-port.ts';
import { requester, type Requester } from '#test/requester.ts';
import { needing } from '#test/skip.ts';
import { pathOf, type Fetched } from '../clients/cache.ts';
import { useCluster } from './cluster.ts';
import { RunningProgram } from './program.ts';

const SCRIPT = join(import.meta.dirname, '../clients/python/webhook.py');
const MODULE = join(import.meta.dirname, '../clients/node/webhook.ts');

interface Webhook {
  readonly name: string;
  readonly fetched: Fetched;
  /** The command line of the webhook at that port. */
  args(port: number, certificate: string, key: string): readonly string[];
}

const WEBHOOKS: readonly Webhook[] = [
  { name: 'go', fetched: await buildGoWebhook(), args: (port, ...files) => [`127.0.0.1:${port}`, ...files] },
  { name: 'node', fetched: { path: process.execPath }, args: (port, ...files) => [MODULE, String(port), ...files] },
  { name: 'python', fetched: await installFastApi(), args: (port, ...files) => [SCRIPT, String(port), ...files] },
];

const GROUP = '/apis/admissionregistration.k8s.io/v1';
const MAPS = '/api/v1/namespaces/default/configmaps';

describe.each(WEBHOOKS)('a webhook in $name', ({ name, fetched, args }) => {
  const cluster = useCluster();

  test('labels, warns and refuses', needing(fetched), async () => {
    const { server, folder } = cluster();
    const authority = await newAuthority(new Date());
    const pair = await authority.issue({ name: 'hook' }, ['127.0.0.1']);
    const files = [join(folder, 'hook.crt'), join(folder, 'hook.key')] as const;
    writeFileSync(files[0], pair.certificate);
    writeFileSync(files[1], pair.key, { mode: 0o600 });
    const port = await freePort();
    await using program = new RunningProgram(pathOf(fetched), args(port, ...files));
    await program.says(/ready/);
    const request = requester(server);
    await register(request, `https://127.0.0.1:${port}`, authority.certificate);
    const create = (object: object) => request('POST', MAPS, object as never);
    await expect.poll(async () => (await create({ metadata: { generateName: 'm-' } })).status).toBe(201);
    const made = await create({ metadata: { name: 'made', labels: { mine: 'too' } } });
    expect(made.body).toMatchObject({ metadata: { labels: { mine: 'too', 'seen-by': name } } });
    expect(made.warnings.join()).toContain(`${name} was here`);
    const refused = await create({ metadata: { name: 'refused' }, data: { refuse: 'no' } });
    expect(refused.body).toMatchObject({
      code: 403,
      message: `admission webhook "validate.example.com" denied the request: ${name} says no`,
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
