import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { entries } from '#lib/machinery/unstructured.ts';
import { admissionOf } from '#local/flags/admission.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { buildOpa } from '#test/support/clients/opa.ts';
import { type Answer, requester } from '#test/support/requester.ts';
import { needing } from '#test/support/skip.ts';
import { useOpenPolicyAgent } from './open-policy-agent.ts';

const opa = await buildOpa();

const TRUSTED = 'registry.example.com/app:1';
const TICKET = { 'opa.image-policy.k8s.io/ticket': '7' };
const FAILED_OPEN = 'alpha.image-policy.k8s.io/failed-open';

/** Disables the cache of responses. */
const configuration = (kubeConfigFile: string, defaultAllow: boolean): string =>
  stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AdmissionConfiguration',
    plugins: [
      {
        name: 'ImagePolicyWebhook',
        configuration: { imagePolicy: { kubeConfigFile, allowTTL: -1, denyTTL: -1, defaultAllow } },
      },
    ],
  });

describe('a server with Open Policy Agent for ImageReviews', needing(opa), () => {
  const backend = useOpenPolicyAgent(opa);
  const servers: RunningApiserver[] = [];
  let pods = 0;
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  /** The response to the creation of a pod with these images, from a server that calls the backend. */
  async function served({ defaultAllow }: { readonly defaultAllow: boolean }) {
    const { agent, folder } = backend();
    const admissionControlConfigFile = join(folder, `admission-${servers.length}.yaml`);
    writeFileSync(admissionControlConfigFile, configuration(agent.kubeconfig('images/review'), defaultAllow));
    const enableAdmissionPlugins = ['ImagePolicyWebhook'];
    const disableAdmissionPlugins = ['ServiceAccount'];
    const admission = await admissionOf({
      enableAdmissionPlugins,
      disableAdmissionPlugins,
      admissionControlConfigFile,
    });
    const server = await startApiserver({ controllers: false, ...admission });
    servers.push(server);
    const admin = requester(server);
    await admin('POST', '/api/v1/namespaces', { metadata: { name: 'team' } });
    return (images: readonly string[], annotations: JsonObject = {}): Promise<Answer> =>
      admin('POST', '/api/v1/namespaces/team/pods', {
        metadata: { name: `p${pods++}`, annotations },
        spec: { containers: images.map((image, place) => ({ name: `c${place}`, image })) },
      });
  }

  const messageOf = ({ body }: Answer): string => stringAt(body, 'message') ?? '';

  test('allows, rejects with its reason, and sends annotations to it', async () => {
    const create = await served({ defaultAllow: false });
    expect((await create([TRUSTED])).status).toBe(201);
    const refused = await create([TRUSTED, 'nginx', 'redis']);
    expect(refused.status).toBe(403);
    expect(messageOf(refused)).toBe(
      'pods "p1" is forbidden: image policy webhook backend denied one or more images: not trusted in team: nginx, redis',
    );
    expect((await create(['nginx'], TICKET)).status).toBe(201);
    expect((await create(['nginx'], { ticket: '7' })).status).toBe(403);
  });

  test('rejects every pod if it is down, or admits it with an annotation, depending on defaultAllow', async () => {
    const strict = await served({ defaultAllow: false });
    const lenient = await served({ defaultAllow: true });
    expect((await strict([TRUSTED])).status).toBe(201);
    expect((await lenient(['nginx'])).status).toBe(403);
    await backend().agent.kill();
    const refused = await strict([TRUSTED]);
    expect([refused.status, messageOf(refused)]).toEqual([403, expect.stringContaining('is forbidden: ')]);
    const passed = await lenient(['nginx']);
    expect(passed.status, messageOf(passed)).toBe(201);
    expect(entries(objectAt(passed.body, 'metadata'), 'annotations')).toContainEqual([FAILED_OPEN, 'true']);
  });
});
