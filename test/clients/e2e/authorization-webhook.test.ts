import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { type JsonObject, stringAt } from '#lib/machinery/json-value.ts';
import { authorizersOf } from '#local/flags/authorization.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { buildOpa } from '#test/support/clients/opa.ts';
import { type Answer, type Requester, requester } from '#test/support/requester.ts';
import { needing } from '#test/support/skip.ts';
import { useOpenPolicyAgent } from './open-policy-agent.ts';

const opa = await buildOpa();

const MAPS = '/api/v1/namespaces/team/configmaps';
const PODS = '/api/v1/namespaces/team/pods';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
/** Each user's token is the name. RBAC lets bob and eve view everything. */
const USERS = new Map(
  [
    { name: 'ann', groups: ['readers'] },
    { name: 'bob', groups: ['viewers'] },
    { name: 'dan', groups: [] },
    { name: 'eve', groups: ['viewers'] },
  ].map((user) => [user.name, user]),
);

interface Asking {
  readonly failurePolicy: 'Deny' | 'NoOpinion';
  /** Defaults to the token that the backend accepts. */
  readonly token?: string;
}

/** The backend is called before RBAC, for all users except the administrator. No response is cached. */
function configuration(kubeConfigFile: string, failurePolicy: Asking['failurePolicy']): string {
  const webhook = {
    timeout: '10s',
    authorizedTTL: '5m',
    unauthorizedTTL: '30s',
    cacheAuthorizedRequests: false,
    cacheUnauthorizedRequests: false,
    subjectAccessReviewVersion: 'v1',
    matchConditionSubjectAccessReviewVersion: 'v1',
    failurePolicy,
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile },
    matchConditions: [{ expression: "!('system:masters' in request.groups)" }],
  };
  return stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthorizationConfiguration',
    authorizers: [
      { type: 'Webhook', name: 'opa', webhook },
      { type: 'RBAC', name: 'rbac' },
    ],
  });
}

async function makeViewers(admin: Requester): Promise<void> {
  const objects: [string, JsonObject][] = [
    ['/api/v1/namespaces', { metadata: { name: 'team' } }],
    [
      `${RBAC}/clusterroles`,
      { metadata: { name: 'viewer' }, rules: [{ apiGroups: [''], resources: ['*'], verbs: ['get', 'list'] }] },
    ],
    [
      `${RBAC}/clusterrolebindings`,
      {
        metadata: { name: 'viewers' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'viewer' },
        subjects: [{ kind: 'Group', name: 'viewers', apiGroup: 'rbac.authorization.k8s.io' }],
      },
    ],
  ];
  for (const [path, object] of objects) {
    const { status, body } = await admin('POST', path, object);
    expect(status, String(body['message'])).toBe(201);
  }
}

const said = ({ status, body }: Answer): string => `${status} ${stringAt(body, 'message') ?? ''}`.trim();

describe('a server with Open Policy Agent for SubjectAccessReviews', needing(opa), () => {
  const backend = useOpenPolicyAgent(opa);
  const servers: RunningApiserver[] = [];
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  /** A server that calls the backend. `got` returns its response to a user. */
  async function served({ failurePolicy, token }: Asking) {
    const { agent, folder } = backend();
    const authorizationConfig = join(folder, `authorization-${servers.length}.yaml`);
    writeFileSync(authorizationConfig, configuration(agent.kubeconfig('authorization/review', token), failurePolicy));
    const authorizers = await authorizersOf({ authorizationConfig });
    const server = await startApiserver({ controllers: false, tokens: USERS, ...(authorizers && { authorizers }) });
    servers.push(server);
    const admin = requester(server);
    await makeViewers(admin);
    const ask = (user: string, method: string, path: string, body?: JsonObject): Promise<Answer> =>
      requester(server, { authorization: `Bearer ${user}` })(method, path, body);
    return { admin, ask, got: async (user: string, path: string) => said(await ask(user, 'GET', path)) };
  }

  test('allows, denies before RBAC, and defers to RBAC', async () => {
    const { ask, got } = await served({ failurePolicy: 'Deny' });
    expect(await got('ann', MAPS)).toBe('200');
    expect(await got('ann', '/metrics')).toBe('200');
    expect(said(await ask('ann', 'POST', MAPS, { metadata: { name: 'mine' } }))).toBe(
      '403 configmaps is forbidden: User "ann" cannot create resource "configmaps" in API group "" in the namespace "team": the policy has no opinion',
    );
    expect(await got('bob', MAPS)).toBe(
      '403 configmaps is forbidden: User "bob" cannot list resource "configmaps" in API group "" in the namespace "team": bob is suspended',
    );
    expect(await got('eve', MAPS)).toBe('200');
  });

  test('sends selectors to it', async () => {
    const { got } = await served({ failurePolicy: 'Deny' });
    expect(await got('dan', `${PODS}?fieldSelector=spec.nodeName%3Dnode-1`)).toBe('200');
    expect(await got('dan', `${PODS}?fieldSelector=spec.nodeName%3Dnode-2`)).toMatch(/^403 /);
    expect(await got('dan', PODS)).toMatch(/^403 /);
  });

  test('returns its decision as a SubjectAccessReview', async () => {
    const { admin } = await served({ failurePolicy: 'Deny' });
    const resourceAttributes = { namespace: 'team', verb: 'list', resource: 'configmaps' };
    const review = async (user: string, groups: string[]) =>
      (await admin('POST', REVIEWS, { spec: { user, groups, resourceAttributes } })).body['status'];
    expect(await review('ann', ['readers'])).toEqual({ allowed: true, reason: 'a reader of its team' });
    expect(await review('ann', [])).toEqual({ allowed: false, reason: 'the policy has no opinion' });
    expect(await review('bob', ['viewers'])).toEqual({ allowed: false, denied: true, reason: 'bob is suspended' });
  });

  test('fails or defers to RBAC if it refuses to respond or is down, depending on the failure policy', async () => {
    const strange = await served({ failurePolicy: 'Deny', token: 'unknown' });
    const strict = await served({ failurePolicy: 'Deny' });
    const lenient = await served({ failurePolicy: 'NoOpinion' });
    expect(await strange.got('eve', MAPS)).toMatch(/^500 /);
    expect(await strict.got('eve', MAPS)).toBe('200');
    expect(await lenient.got('ann', MAPS)).toBe('200');
    await backend().agent.kill();
    expect(await strict.got('eve', MAPS)).toMatch(/^500 .*connection refused$/);
    expect(await strict.got('ann', MAPS)).toMatch(/^500 .*connection refused$/);
    expect(await lenient.got('eve', MAPS)).toBe('200');
    expect(await lenient.got('ann', MAPS)).toMatch(/^500 .*connection refused$/);
  });
});
